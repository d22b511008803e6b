import type { Translated } from './translated.ts'

/** What helps, by the part of a signature that is wrong; English comes with the finding. */
// biome-ignore format: a table reads by its columns
export const LAB_CURES: Readonly<Record<string, Translated>> = {
  headers:    { pl: 'wysyłaj Signature i Signature-Input z każdym żądaniem, każdy raz', el: 'στέλνετε Signature και Signature-Input με κάθε αίτημα, από μία φορά' },
  grammar:    { pl: 'zapisz Signature-Input jako {shape}, a Signature jako service_sig=:BASE64:', el: 'γράψτε το Signature-Input ως {shape} και το Signature ως service_sig=:BASE64:' },
  label:      { pl: 'nazwij podpis service_sig w obu nagłówkach', el: 'ονομάστε την υπογραφή service_sig και στις δύο κεφαλίδες' },
  components: { pl: 'wymień i podpisz dokładnie {expected}, w tej kolejności', el: 'απαριθμήστε και υπογράψτε ακριβώς {expected}, με αυτή τη σειρά' },
  parameters: { pl: 'wysyłaj keyid w cudzysłowie, a created jako całe sekundy: {shape}', el: 'στέλνετε το keyid σε εισαγωγικά και το created σε ακέραια δευτερόλεπτα: {shape}' },
  created:    { pl: 'dbaj o zegar klienta i podpisuj tuż przed wysłaniem, sekundami UNIX w UTC', el: 'κρατάτε σωστό το ρολόι του πελάτη και υπογράφετε λίγο πριν την αποστολή, με δευτερόλεπτα UNIX σε UTC' },
  key:        { pl: 'podpisuj kluczem prywatnym należącym do wysyłanego keyid albo zarejestruj klucz publiczny tego, którego używasz', el: 'υπογράφετε με το ιδιωτικό κλειδί του keyid που στέλνετε, ή καταχωρίστε το δημόσιο κλειδί αυτού που χρησιμοποιείτε' },
  algorithm:  { pl: 'podpisuj z {expected}, jak wymaga krzywa klucza', el: 'υπογράφετε με {expected}, όπως θέλει η καμπύλη του κλειδιού' },
  encoding:   { pl: 'wyślij podpis jako DER albo jako r i s po {expected} bajtów, w zwykłym Base64 między dwukropkami', el: 'στείλτε την υπογραφή ως DER ή ως r και s των {expected} byte, σε απλό Base64 ανάμεσα σε άνω-κάτω τελείες' },
  digest:     { pl: 'licz skrót z dokładnie tych bajtów, które wychodzą, wyślij {expected} i podpisz to samo', el: 'υπολογίστε τη σύνοψη από τα ίδια τα byte που φεύγουν, στείλτε {expected} και υπογράψτε το ίδιο' },
  authority:  { pl: 'podpisz samą nazwę hosta, małymi literami, bez schematu i portu: {expected}', el: 'υπογράψτε μόνο το όνομα του host, με πεζά, χωρίς σχήμα και θύρα: {expected}' },
  method:     { pl: 'podpisz metodę wielkimi literami, tę, która jest wysyłana: {expected}', el: 'υπογράψτε τη μέθοδο με κεφαλαία, αυτή που στέλνεται: {expected}' },
  target:     { pl: 'podpisz ścieżkę i zapytanie bajt po bajcie tak, jak są wysyłane: {expected}', el: 'υπογράψτε διαδρομή και ερώτημα byte προς byte όπως στέλνονται: {expected}' },
  type:       { pl: 'podpisz sam typ, małymi literami, bez parametrów: {expected}', el: 'υπογράψτε μόνο τον τύπο, με πεζά, χωρίς παραμέτρους: {expected}' },
  length:     { pl: 'podpisz liczbę bajtów treści: {expected}', el: 'υπογράψτε το πλήθος των byte του σώματος: {expected}' },
  last:       { pl: 'zakończ bazę dokładnie wierszem {expected}', el: 'τελειώστε τη βάση ακριβώς με {expected}' },
  lines:      { pl: 'pisz każdy wiersz jako "nazwa": wartość, łącz je jednym znakiem LF i nie dawaj żadnego po ostatnim', el: 'γράψτε κάθε γραμμή ως "όνομα": τιμή, ενώστε τις με ένα LF και μη βάλετε κανένα μετά την τελευταία' },
  message:    { pl: 'podaj funkcji podpisującej bajty bazy bez zmian: sama liczy skrót, jeden raz', el: 'δώστε στη συνάρτηση υπογραφής τα byte της βάσης ως έχουν: υπολογίζει μόνη της τη σύνοψη, μία φορά' },
  base:       { pl: 'porównaj obie bazy w zaznaczonym miejscu i podpisz oczekiwaną', el: 'συγκρίνετε τις δύο βάσεις στο σημειωμένο σημείο και υπογράψτε την αναμενόμενη' },
}
