const minimumAge = { small: 19, family: 21, van: 23 };
const problems = [];

function checkDriver(driver, carClass) {
  if (driver.age < minimumAge[carClass]) problems.push(`driver must be ${minimumAge[carClass]} or older`);
  if (driver.licenceYears < 1) problems.push('licence must be held for a year');
}

function checkPeriod(pickUp, dropOff) {
  if (!(dropOff > pickUp)) problems.push('drop-off must be after pick-up');
}

export function validate(request) {
  if (!(request.carClass in minimumAge)) {
    return ['unknown class of car'];
  }
  checkDriver(request.driver, request.carClass);
  checkPeriod(request.pickUp, request.dropOff);
  return problems;
}
