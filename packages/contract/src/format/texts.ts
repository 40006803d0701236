/** Messages that the server and the screens share verbatim. */
export const TEXTS = {
  allFieldsRequired: 'All fields are required',
  passwordsDiffer: 'Passwords do not match',
  passwordTooShort: 'Password must be at least 6 characters long',
  emailInvalid: 'Please enter a valid email address',
  loginRequired: 'Email and password are required',
  invalidCredentials: 'Invalid credentials',
  registrationClosed:
    'Registration is by invitation only. Please ask the owner of an organization to invite you.',
  registrationFailed: 'Registration failed',
  networkFailure: 'An error occurred. Please try again.',
  networkError: 'Network error. Please try again.',
  registrationOrganizationFailed: 'Organization registration failed',
  registrationInvitationFailed: 'Invitation registration failed',
  slugInvalid: 'Organization slug can only contain lowercase letters, numbers, and hyphens',
  slugTaken: 'This organization slug is taken. Please choose another one.',
  invitationTokenInvalid: 'Invalid invitation token',
  invitationInvalid: 'Invalid or expired invitation',
  invitationFailed: 'Failed to accept invitation',
  codeInvalidAtLogin: 'Invalid 2FA code',
  loginExpired: 'This login has expired. Please log in again.',
  codeInvalid: 'Invalid verification code',
  codeOrBackupInvalid: 'Invalid code or backup code',
  codeRequired: 'Enter a 6-digit code',
  codeOrBackupRequired: 'Enter a code from your authenticator app or a backup code',
  confirmIdentity: "Please confirm that it's you.",
  confirmationRequired: 'Enter your password or a code',
  notConfirmed: 'Nothing was changed, because you did not confirm your identity.',
  newPasswordsDiffer: 'New passwords do not match',
  newPasswordTooShort: 'Password must be at least 8 characters long',
  currentPasswordWrong: 'Current password is incorrect',
  passwordUpdated: 'Password updated successfully!',
  passwordLinkInvalid: 'This link is invalid or has expired. Please ask for a new one.',
  emailLinkInvalid: 'This link is invalid or has expired. Please ask for a new one in Settings.',
  cancelSubscriptionFirst: 'Please cancel your subscription before you delete your account.',
  cancelSubscriptionToJoin: 'Please cancel your own subscription before you join or create an organization.',
  membersRemain: 'Please remove the other members or hand the organization over first.',
  ownerStays: 'The owner cannot be removed or leave. Hand the organization over first.',
  alreadyMember: 'This person already belongs to an organization.',
  freePlanMembers: 'Cannot add members on free plan. Please upgrade your subscription to add team members.',
  subscriptionCancelled: 'Subscription will be cancelled at the end of your current billing period.',
  emailTakenMeanwhile:
    'Another account has this email address by now. Please choose another one in Settings.',
  emailTaken: 'An account with this email address already exists. Log in, or use another address.',
} as const;

export const PASSWORD_MIN_AT_REGISTRATION = 6;
export const PASSWORD_MIN_AT_CHANGE = 8;
export const PASSWORD_MAX = 256;
/** Hours for which the confirmation link in a mail is valid. */
export const EMAIL_LINK_HOURS = 24;
