import { plainSecret } from './secret-texts.ts';
import { saying, type TextForm } from './sentence-forms.ts';

/** Sentences about a password, by language, as people and mails write them. `X` is the password. */
const SPOKEN: Readonly<Record<string, readonly string[]>> = {
  English: [
    'The password is X',
    'your new password: X',
    'Hi Ada, your temporary password is X, please change it.',
    'the api key is X for now',
    'secret is "X"',
    'use the token X to sign in',
    'my pin code is X',
    'Login: ada / Password: X',
    'user ada pass X',
    'passphrase = X',
  ],
  German: [
    'Das Passwort lautet X',
    'Passwort: X',
    'Ihr neues Passwort ist X.',
    'Kennwort = X',
    'Benutzer ada, Passwort „X“',
  ],
  Spanish: ['La contraseña es X', 'contraseña: X', 'su nueva contraseña es X.', 'usuario=ada contraseña=X'],
  French: ['Le mot de passe est X', 'mot de passe : X', 'Votre nouveau mot de passe : « X »', 'mdp=X'],
  Portuguese: ['A senha é X', 'senha: X', 'sua nova senha é X.', 'palavra-passe: X'],
  Italian: ['La password è X', 'parola d’ordine: X', 'nuova password: X'],
  Dutch: ['Het wachtwoord is X', 'wachtwoord: X'],
  Polish: ['Hasło to X', 'hasło: X', 'nowe hasło = X'],
  Czech: ['heslo: X', 'Heslo je X'],
  Swedish: ['Lösenordet är X', 'lösenord: X'],
  Norwegian: ['Passordet er X', 'passord: X'],
  Finnish: ['salasana: X', 'Salasana on X'],
  Turkish: ['Şifreniz: X', 'şifre=X', 'parola: X'],
  Hungarian: ['A jelszó: X', 'jelszó=X'],
  Russian: ['Пароль: X', 'ваш новый пароль: X', 'пароль=X', 'Пароль — X'],
  Greek: ['Ο κωδικός πρόσβασης είναι X', 'κωδικός: X'],
  Chinese: ['密码:X', '密码是X', '您的新密码为 X。', '密碼: X', '口令=X'],
  Japanese: ['パスワード:X', 'パスワードは X です', '新しいパスワード: X', '暗証番号=X'],
  Korean: ['비밀번호: X', '새 비밀번호는 X 입니다', '비밀번호=X'],
  Vietnamese: ['mật khẩu: X', 'Mật khẩu là X'],
  Thai: ['รหัสผ่าน: X'],
  Arabic: ['كلمة المرور: X'],
  Hebrew: ['סיסמה: X'],
  Hindi: ['पासवर्ड: X'],
};

/** One generator of sentences for each language. `turn` selects one of the language's sentences. */
export const SPOKEN_FORMS: Readonly<Record<string, (turn: number) => TextForm>> = Object.fromEntries(
  Object.entries(SPOKEN).map(([language, sentences]) => [
    `in ${language}`,
    (turn: number) =>
      saying((secret) => (sentences[turn % sentences.length] ?? 'X').replace('X', () => secret), plainSecret),
  ]),
);
