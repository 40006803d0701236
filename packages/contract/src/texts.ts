/** Texts of the product's error catalogue that server and screens share, word for word. */
export const TEXTS = {
  allFieldsRequired: 'All fields are required',
  passwordsDiffer: 'Passwords do not match',
  passwordTooShort: 'Password must be at least 6 characters long',
  emailInvalid: 'Please enter a valid email address',
  loginRequired: 'Email and password are required',
  invalidCredentials: 'Invalid credentials',
  registrationFailed: 'Registration failed',
  networkFailure: 'An error occurred. Please try again.',
  emailTaken: 'An account with this email address already exists. Log in, or use another address.',
} as const;

export const PASSWORD_MIN_AT_REGISTRATION = 6;
export const PASSWORD_MAX = 256;
