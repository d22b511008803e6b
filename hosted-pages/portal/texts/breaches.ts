import type { Sentence } from '../../texts/sentence.ts'
import type { Translated } from '../lab/translated.ts'

/** What is said of a broken rule, as the rules of conduct say it: of two that fit, the first is meant. */
export const BREACHES: readonly Sentence[] = [
  {
    en: '{operation} was left uncertain: nothing followed.',
    pl: '{operation}: wynik pozostał niepewny i nic nie nastąpiło.',
    el: '{operation}: το αποτέλεσμα έμεινε αβέβαιο και δεν ακολούθησε τίποτα.',
  },
  {
    en: '{operation} was sent again under a new key.',
    pl: '{operation} wysłano ponownie z nowym kluczem.',
    el: 'Η κλήση {operation} στάλθηκε ξανά με νέο κλειδί.',
  },
  {
    en: '{operation} was answered {code} and sent again unchanged.',
    pl: 'Na {operation} odpowiedziano {code}, a wywołanie wysłano ponownie bez zmian.',
    el: 'Η κλήση {operation} πήρε απάντηση {code} και στάλθηκε ξανά ίδια.',
  },
  {
    en: '{operation} came back after {waited}; Retry-After said {wanted} s.',
    pl: '{operation} ponowiono po {waited}; Retry-After podawało {wanted} s.',
    el: 'Η κλήση {operation} επαναλήφθηκε μετά από {waited}· το Retry-After έλεγε {wanted} s.',
  },
  {
    en: '{operation} was repeated after {gaps}.',
    pl: '{operation} ponawiano po {gaps}.',
    el: 'Η κλήση {operation} επαναλήφθηκε μετά από {gaps}.',
  },
  {
    en: 'The key of {operation} came again with another request.',
    pl: 'Klucz wywołania {operation} przyszedł znowu z innym żądaniem.',
    el: 'Το κλειδί της κλήσης {operation} ήρθε ξανά με άλλο αίτημα.',
  },
  {
    en: '{tokens} tokens were fetched for {calls} calls.',
    pl: 'Pobrano tokeny: {tokens}, a wywołań było {calls}.',
    el: 'Ζητήθηκαν {tokens} token για {calls} κλήσεις.',
  },
  {
    en: '{operation} was refused because its token had ended, and no new one was used.',
    pl: '{operation} odrzucono, bo token wygasł, a nowego nie użyto.',
    el: 'Η κλήση {operation} απορρίφθηκε επειδή το token είχε λήξει, και δεν χρησιμοποιήθηκε νέο.',
  },
  {
    en: 'Payment {id} was read {times} times.',
    pl: 'Płatność {id} odczytano {times} razy.',
    el: 'Η πληρωμή {id} διαβάστηκε {times} φορές.',
  },
  {
    en: 'The answer to {operation} had been tampered with; a call used the id in it.',
    pl: 'Odpowiedź na {operation} była sfałszowana, a wywołanie użyło jej identyfikatora.',
    el: 'Η απάντηση στην κλήση {operation} είχε αλλοιωθεί· μια κλήση χρησιμοποίησε το id της.',
  },
  {
    en: 'Key {key} had ended, and still signed a call.',
    pl: 'Klucz {key} już wygasł, a podpisał jeszcze wywołanie.',
    el: 'Το κλειδί {key} είχε λήξει και όμως υπέγραψε μία κλήση.',
  },
  {
    en: 'Key {key} had ended, and still signed {calls} calls.',
    pl: 'Klucz {key} już wygasł, a podpisał jeszcze wywołania: {calls}.',
    el: 'Το κλειδί {key} είχε λήξει και όμως υπέγραψε {calls} κλήσεις.',
  },
  {
    en: 'A webhook with {deeds} was never acknowledged.',
    pl: 'Webhooka z {deeds} nigdy nie potwierdzono.',
    el: 'Ένα webhook με {deeds} δεν επιβεβαιώθηκε ποτέ.',
  },
  {
    en: 'A webhook with {flaw} was acknowledged with {status}.',
    pl: 'Webhook z {flaw} potwierdzono odpowiedzią {status}.',
    el: 'Ένα webhook με {flaw} επιβεβαιώθηκε με {status}.',
  },
  {
    en: 'A webhook was not acknowledged: answered with {status}.',
    pl: 'Webhooka nie potwierdzono: odpowiedź {status}.',
    el: 'Ένα webhook δεν επιβεβαιώθηκε: απάντηση {status}.',
  },
  {
    en: 'A webhook was not acknowledged: answered {error}.',
    pl: 'Webhooka nie potwierdzono: {error}.',
    el: 'Ένα webhook δεν επιβεβαιώθηκε: {error}.',
  },
  {
    en: 'After a notification had come twice, {operation} was called under two keys.',
    pl: 'Gdy powiadomienie przyszło dwa razy, {operation} wywołano z dwoma kluczami.',
    el: 'Αφού μια ειδοποίηση ήρθε δύο φορές, η κλήση {operation} έγινε με δύο κλειδιά.',
  },
  {
    en: 'It was answered {status}.',
    pl: 'Odpowiedź na ten webhook: {status}.',
    el: 'Η απάντηση σε αυτό το webhook: {status}.',
  },
  {
    en: 'Its payment stayed {state}: it was never finalized.',
    pl: 'Jego płatność została w stanie {state}: nie wywołano finalize.',
    el: 'Η πληρωμή του έμεινε {state}: δεν κλήθηκε το finalize.',
  },
  {
    en: 'Payment {id} stayed {state}.',
    pl: 'Płatność {id} została w stanie {state}.',
    el: 'Η πληρωμή {id} έμεινε {state}.',
  },
  {
    en: 'The authorization of payment {id} ran out.',
    pl: 'Autoryzacja płatności {id} wygasła.',
    el: 'Η εξουσιοδότηση της πληρωμής {id} έληξε.',
  },
  {
    en: '{operation} carries what looks like {secret}.',
    pl: '{operation} zawiera coś, co wygląda na {secret}.',
    el: 'Η κλήση {operation} περιέχει κάτι που μοιάζει με {secret}.',
  },
]

/** What stands in such a sentence and is English in turn. */
// biome-ignore format: a table reads by its columns
export const BREACH_PARTS: Readonly<Record<string, Translated>> = {
  ', then ':         { pl: ', potem po ',       el: ', μετά από ' },
  ' and ':           { pl: ' i ',               el: ' και ' },
  'a card number':   { pl: 'numer karty',       el: 'αριθμό κάρτας' },
  'a token':         { pl: 'token',             el: 'token' },
  'a bearer header': { pl: 'nagłówek Bearer',   el: 'κεφαλίδα Bearer' },
  'a private key':   { pl: 'klucz prywatny',    el: 'ιδιωτικό κλειδί' },
  'a webhook secret': { pl: 'sekret webhooka',  el: 'μυστικό webhook' },
  'a password':      { pl: 'hasło',             el: 'κωδικό πρόσβασης' },
}
