/** Words of sentences that show if the value of a secret follows the secret's name. */

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words and signs that connect a name with its value, in several languages. */
export const CONNECTORS = set(`
  is was are were be equal equals reads remains becomes became = == := => -> → – — : - like ilike <> != being
  ist war lautet sind heisst wird est etait sont es era fue son e foi sao zijn luidt jest brzmi byl byla это есть равен це eto
  είναι ειναι ειναι: adalah ialah este esta znie
`);
/** Words that mean `is` in the language of the name before them, but something else in other languages: `Salasana on X`, `Hasło to X`. */
export const FOREIGN_CONNECTORS = set('on to je er ar la yra ir a az hi op');
/** Verbs before `to` and `from`: `changed the password from X to Y`. */
export const CHANGES = set(
  'zuruckgesetzt set changed change changes changing reset updated update rotated rotate switched swapped back geandert gesetzt gezet cambiada cambio change gewijzigd veranderd nulstillet aendret endret andrad bytt zmieniono reinitialise modifie',
);
export const TARGETS = set('to from into as auf zu von in a en para por de naar van na z til till vers');
/** Words that can stand between a connector and the value. */
export const FILLERS = set(`
  got gave found le la el il der die das den entered received given provided supplied typed actual tried eingegeben saisi ingresado digitado now still currently again just only actually probably called the this following simply always temporarily set to equal literally really new old exactly
  suivant suivante siguiente seguinte seguente folgende folgendes folgender følgende volgende
  jetzt noch nur aktuell derzeit wieder maintenant encore toujours ahora todavia agora ancora adesso nu nog teraz nadal wieder simplement
`);

/** Words that announce a value: `token with value X`. */
export const VALUE_WORDS = set('value wert valor valeur');
/** Names of secrets that people choose themselves, which are often plain words. */
export const CHOSEN =
  /(?:passw\w*|kennwort|contrase[nñ]a|passe|passe?code|passphrase|senha|wachtwoord|has[lł]o|pwd?)$/i;
/** Verbs and signs after which the value of a secret follows, even if the name is several words before. */
export const SURE = /^(?:lautet|luidt|brzmi)$|:$/;
/** A user before a password's name: `user ada, password X`. */
export const USER_BEFORE =
  /(?:^|[^A-Za-z])(?:user(?:name)?|login|account|e?mail|uid|benutzer|konto|usuario|utilisateur|identifiant)[\s:=]{1,3}[^\s:=]{1,40}[\s,;/]{1,4}(?:and |with |und |mit |et |y )?$/i;
/** Words of SQL. After a table's name such as `tokens`, they show that no secret follows. */
export const SQL = set('WHERE SET FROM VALUES ORDER GROUP LIMIT JOIN ON AS USING RETURNING where');
/** Words before a person's or a thing's name, which is not the value: `password for JSmith42`. */
export const BEFORE_NAMES = set(
  'for of by from with at on in as to via user username account login role host server client id fur von bei mit benutzer konto de do da para por del usuario cuenta pour par utilisateur compte di per utente voor van gebruiker',
);
