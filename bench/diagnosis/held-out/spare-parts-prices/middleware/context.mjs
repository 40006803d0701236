const defaults = { currency: 'EUR', language: 'en', priceList: 'retail' };

const dealers = {
  'dealer-se-14': { currency: 'SEK', priceList: 'trade' },
  'dealer-no-02': { currency: 'NOK', priceList: 'trade' },
};

function settingsFor(dealer) {
  return Object.assign(defaults, dealers[dealer]);
}

/** Adds the caller's settings to the request. */
export function context(req, res, next) {
  req.settings = settingsFor(req.get('x-dealer'));
  next();
}
