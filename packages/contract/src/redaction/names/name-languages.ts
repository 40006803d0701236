import { splitPhrases, splitWords } from './name-table.ts';

/**
 * Words for secrets in languages other than English, without accents. Words with `ü` are also listed with
 * `ue`.
 */
export const FOREIGN_WORDS = splitWords(`
  passwort startpasswort initialpasswort einmalpasswort benutzerpasswort datenbankpasswort adminpasswort masterpasswort passworter passwoerter kennwort kennworter kennwoerter geheimnis geheimwort losungswort zugangsdaten anmeldedaten zugangscode zugriffscode sicherheitscode
  kartenprufnummer kartenpruefnummer prufnummer bestatigungscode bestaetigungscode verifizierungscode freischaltcode freigabecode prufcode anmeldecode aktivierungscode turcode tuercode torcode einladungscode einmalcode geheimzahl geheimcode mobiletan smstan pushtan chiptan steuerid steueridentifikationsnummer kreditkarte kartennummer kreditkartennummer geheim
  apischlussel geheimschlussel zugangsschlussel zugriffsschlussel privatschlussel sitzungsschlussel signaturschlussel hauptschlussel
  apischluessel geheimschluessel zugangsschluessel zugriffsschluessel privatschluessel sitzungsschluessel signaturschluessel hauptschluessel
  motdepasse mdp motpasse jeton identifiants cryptogramme
  contrasena contrasenia contrasenya clave secreto credenciales credencial
  senha segredo palavrapasse credenciais
  segreto segreti credenziali credenziale
  wachtwoord wachtwoorden wachtzin toegangscode verificatiecode beveiligingscode bevestigingscode pincode toegangssleutel apisleutel inloggegevens kaartnummer
  haslo hasla hasel haslem sekret poswiadczenia
  sifre sifresi sifreniz sifreler parola parolasi parolaniz gizli belirtec
  mima kouling miyao salasona nenosiri verifieringskod engangskod engangskode bekreftelseskode verifikationskode vahvistuskoodi
  heslo hesla losenord passord adgangskode kodeord salasana jelszo lozinka zaporka geslo parool slaptazodis sandi matkhau parol
  пароль пароля пароли паролем паролей паролю паролі секрет секрета токен токена пин пинкод пін пінкод гасло подпись підпис лозинка парола
  κωδικός κωδικου συνθηματικό
  סיסמה סיסמא
  пассворд पासवर्ड कूटशब्द পাসওয়ার্ড கடவுச்சொல் گذرواژه پسورد
  losenordet passordet passordene adgangskoden kodeordet salasanasi salasanan salasanani hesla heslem hasle jelszava jelszavad jelszavam jelszot lozinku sifren sifrem
`);

/**
 * Names of the numbers that states and banks give to a person. Some of the names also have other meanings, so that the value decides if it
 * is hidden.
 */
export const PERSONAL_NUMBERS = splitWords(`
  cpf pan dni curp aadhaar aadhar bsn insee pesel svnr personnummer fodselsnummer henkilotunnus hetu tckn nino nationalid citizenid
  codicefiscale burgerservicenummer rijksregisternummer cprnummer rodnecislo снилс инн
`);

/** Beginnings (`NUMBERED`) and ends (`NUMBER_ENDS`) of names for numbers, in several languages: `reisepass nr`, `kart numarasi`. */
const NUMBERED = splitWords(
  'identity identity-card id-card personal-id personal-identity national-identity national-insurance ni my aadhaar passport pasaporte passaporte passaporto reisepass ausweis personalausweis sozialversicherungs rentenversicherungs krankenversicherungs kimlik tc-kimlik kart kredi-karti karten karte driver-license drivers-license driver-licence drivers-licence driving-license driving-licence medicare nhs bank-account bankkonto',
);
const NUMBER_ENDS = splitWords('number no nr num nummer numero numarasi numaram numaraniz');

export const PERSONAL_PHRASES = [
  ...splitPhrases(`
    national id, citizen id, codice fiscale, securite sociale, numero secu, seguridad social, seguro social, social insurance number,
    driver license, drivers license, driver licence, driving licence, driving license, rodne cislo, personal code, nomor ktp
  `),
  ...NUMBERED.flatMap((name) => NUMBER_ENDS.map((end) => `${name.replaceAll('-', ' ')} ${end}`)),
];

/** Names of the numbers of accounts, at a bank or elsewhere. */
export const ACCOUNT_PHRASES = [
  'numero de cuenta',
  'numero da conta',
  ...['account', 'konto'].flatMap((name) => NUMBER_ENDS.map((end) => `${name} ${end}`)),
];

export const FOREIGN_PHRASES = splitPhrases(`
  sms kodu, codigo porta, codigo da porta, cod seguranca, cod seguridad, respuesta secreta, resposta secreta, reponse secrete, geheime antwort, cedula ciudadania, cedula identidad, codigo sms, code sms, codice sms, kod sms, steuer id, mobile tan, sms tan, push tan,
  api schlussel, api schluessel, privater schlussel, privater schluessel, geheimer schlussel, geheimer schluessel, geheime zahl,
  mot de passe, mots de passe, mot passe, cle api, cle d api, cle secrete, cle privee, cle d acces, cle acces, cle de chiffrement, cle de signature, cle maitre,
  code de la porte, code porte, code d entree, code du portail, code secret, code de verification, code de confirmation, code de connexion, code de securite, code securite, code d acces, code acces, code confidentiel, phrase secrete, phrase de passe,
  carte bancaire, carte de credit, carte bleue, numero de carte, numero carte, identifiants de connexion,
  clave api, clave secreta, clave privada, clave de acceso, clave acceso, clave de api, clave maestra, llave privada, llave secreta, llave api, llave de acceso,
  codigo de verificacion, codigo verificacion, codigo de seguridad, codigo seguridad, codigo de acceso, codigo acceso, codigo de confirmacion, codigo secreto,
  frase secreta, frase de recuperacion, frase semilla, numero de tarjeta, numero tarjeta, tarjeta de credito, tarjeta credito,
  palavra passe, chave api, chave de api, chave secreta, chave privada, chave de acesso, chave acesso, chave mestra, chave de assinatura, chave de criptografia,
  codigo de verificacao, codigo verificacao, codigo de seguranca, codigo seguranca, codigo de acesso, codigo de confirmacao, codigo confirmacao, frase de recuperacao,
  cartao de credito, cartao credito, numero do cartao, numero cartao,
  parola d ordine, parola ordine, parola di accesso, parola segreta, chiave api, chiave segreta, chiave privata, chiave di accesso, chiave d accesso, chiave accesso,
  chiave di firma, codice di verifica, codice verifica, codice di sicurezza, codice sicurezza, codice di accesso, codice accesso, codice segreto, codice di conferma,
  codice conferma, frase segreta, carta di credito, numero carta, numero della carta,
  geheime sleutel, api sleutel, prive sleutel, private sleutel,
  klucz api, klucz prywatny, klucz dostepu, klucz tajny, klucz szyfrowania, sekretny klucz, tajny klucz, kod weryfikacyjny, kod weryfikacji, kod dostepu, kod bezpieczenstwa,
  kod potwierdzenia, kod potwierdzajacy, kod pin, numer karty, karta kredytowa, dane logowania,
  gizli anahtar, api anahtari, ozel anahtar, erisim anahtari, sifreleme anahtari, dogrulama kodu, guvenlik kodu, onay kodu, erisim kodu, giris kodu, kart numarasi,
  kredi karti, dogrulama kodunuz, guvenlik kodunuz, onay kodunuz, giris kodunuz, cod de verificare, codul de verificare, tau de verificare, kod verifikasi,
  секретный ключ, закрытый ключ, приватный ключ, ключ доступа, ключ api, api ключ, ключ шифрования, ключ подписи, код подтверждения, код доступа, код безопасности,
  проверочный код, кодовое слово, секретное слово, кодовая фраза, секретная фраза, номер карты, учетные данные,
  секретний ключ, закритий ключ, приватний ключ, ключ доступу, ключ шифрування, код підтвердження, код доступу, код безпеки, номер картки, кодове слово, облікові дані,
  tajny klic, api klic, soukromy klic, pristupovy klic, hemlig nyckel, api nyckel, κωδικός πρόσβασης, κωδικός ασφαλείας, kata sandi, kata laluan, mat khau, jeton acces, jeton d acces, پاس ورڈ, رمز عبور,
  كلمة المرور, كلمة السر, كلمة مرور, كلمة سر, الرقم السري, رمز التحقق, رمز الدخول, api キー, api 키
`);

/**
 * Words for secrets in scripts that are written without spaces. A name that contains one of them is a secret's name, unless a word of
 * {@link UNSPACED_ABOUT} follows.
 */
export const UNSPACED_WORDS = splitWords(`
  密码 密碼 口令 密钥 密鑰 金鑰 秘钥 秘鑰 令牌 验证码 驗證碼 私钥 私鑰 通行码 通行碼 凭证 憑證 凭据 憑據 授权码 授權碼 安全码 安全碼 校验码 动态码 卡号 卡號
  パスワード パスフレーズ パスコード 暗証番号 秘密鍵 トークン 認証コード 確認コード 認証キー アクセスキー シークレット 合言葉 暗号鍵 署名鍵 セキュリティコード カード番号
  暗号キー 秘密の答え クレデンシャル 身份证 身份證 マイナンバー 주민등록번호 주민번호 护照号 여권번호 助记词 助記詞 ニーモニック 니모닉
  비밀번호 암호 토큰 비밀키 인증번호 인증코드 시크릿 패스워드 비번 개인키 액세스키 접근키 보안코드 확인코드 서명키 카드번호 인증키
  รหัสผ่าน
`);

/**
 * Words that can follow a word of {@link UNSPACED_WORDS}. Together, the two words name something that only describes the secret, so the
 * value is not secret.
 */
export const UNSPACED_ABOUT = splitWords(`
  长度 長度 類型 类型 数量 個数 个数 强度 強度 策略 有效期 过期 過期 更新 时间 時間 状态 狀態 长さ 長さ 種類 種別 期限 日時 回数 有効 길이 유형 종류 만료 변경일 횟수 상태 여부 개수
`);
