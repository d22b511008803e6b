import type { Sentence } from '../../texts/sentence.ts'

/** Organizations, the door, and what forms of the portal have in common. */
export const PORTAL_ORGANIZATIONS = {
  portalState: { en: 'State', pl: 'Stan', el: 'Κατάσταση' },
  portalActions: { en: 'Actions', pl: 'Działania', el: 'Ενέργειες' },

  portalSignIn: { en: 'Sign in to the portal', pl: 'Zaloguj się do portalu', el: 'Σύνδεση στην πύλη' },
  portalSignInLead: {
    en: 'This sandbox was started with a control token. Type it in once; your browser keeps it until you close it.',
    pl: 'Tę piaskownicę uruchomiono z tokenem sterowania. Wpisz go raz; przeglądarka zapamięta go do zamknięcia.',
    el: 'Αυτό το περιβάλλον ξεκίνησε με διακριτικό ελέγχου. Πληκτρολογήστε το μία φορά· ο περιηγητής το κρατά μέχρι να κλείσει.',
  },
  portalToken: { en: 'Control token', pl: 'Token sterowania', el: 'Διακριτικό ελέγχου' },
  portalSignInNow: { en: 'Sign in', pl: 'Zaloguj', el: 'Σύνδεση' },
  portalSignInWrong: {
    en: 'This is not the token: type in what --control-token or ASSAY_CONTROL_TOKEN was set to.',
    pl: 'To nie ten token: wpisz wartość opcji --control-token albo zmiennej ASSAY_CONTROL_TOKEN.',
    el: 'Δεν είναι αυτό το διακριτικό: γράψτε την τιμή του --control-token ή του ASSAY_CONTROL_TOKEN.',
  },
  portalSignOut: { en: 'Sign out', pl: 'Wyloguj', el: 'Αποσύνδεση' },

  orgsLead: {
    en: 'Each organization is a merchant of its own: accounts, keys, payments and a clock that nobody else shares.',
    pl: 'Każda organizacja to osobny sprzedawca: własne konta, klucze, płatności i zegar, którego nikt z nią nie dzieli.',
    el: 'Κάθε οργανισμός είναι ξεχωριστός έμπορος: δικοί του λογαριασμοί, κλειδιά, πληρωμές και ρολόι που δεν μοιράζεται με κανέναν.',
  },
  orgsName: { en: 'Organization', pl: 'Organizacja', el: 'Οργανισμός' },
  orgsAccounts: { en: 'Processing accounts', pl: 'Konta rozliczeniowe', el: 'Λογαριασμοί επεξεργασίας' },
  orgsAccountId: { en: 'processingAccountId', pl: 'processingAccountId', el: 'processingAccountId' },
  orgsAccountCapabilities: {
    en: 'What BLIK and IRIS can do here',
    pl: 'Co potrafią tu BLIK i IRIS',
    el: 'Τι μπορούν εδώ το BLIK και το IRIS',
  },
  orgsNew: { en: 'New organization', pl: 'Nowa organizacja', el: 'Νέος οργανισμός' },
  orgsId: { en: 'Id', pl: 'Identyfikator', el: 'Αναγνωριστικό' },
  orgsIdHint: {
    en: 'Lowercase letters, digits and hyphens; leave it empty to get one.',
    pl: 'Małe litery, cyfry i łączniki; puste pole oznacza, że powstanie sam.',
    el: 'Πεζά λατινικά γράμματα, ψηφία και παύλες· αφήστε το κενό για αυτόματο.',
  },
  orgsCreate: { en: 'Create the organization', pl: 'Utwórz organizację', el: 'Δημιουργία οργανισμού' },

  orgsKeys: { en: 'signing keys in use', pl: 'czynne klucze podpisu', el: 'κλειδιά υπογραφής σε χρήση' },
  orgsKeyEnds: { en: 'the first ends', pl: 'pierwszy wygasa', el: 'το πρώτο λήγει' },
  orgsNoKey: { en: 'nothing can be signed', pl: 'nie ma czym podpisywać', el: 'τίποτα δεν μπορεί να υπογραφεί' },
  orgsEndpoints: { en: 'webhook endpoints', pl: 'adresy webhooków', el: 'διευθύνσεις webhook' },
  orgsNoEndpoint: {
    en: 'the inbox keeps everything meanwhile',
    pl: 'na razie wszystko trafia do skrzynki',
    el: 'στο μεταξύ όλα μένουν στα εισερχόμενα',
  },
  orgsDeliveries: { en: '{count} deliveries', pl: 'doręczeń: {count}', el: 'παραδόσεις: {count}' },
  orgsDropped: { en: 'deliveries given up', pl: 'porzuconych doręczeń', el: 'εγκαταλειμμένες παραδόσεις' },
  orgsBegin: { en: 'Call the API', pl: 'Wywołaj API', el: 'Κλήση του API' },
  orgsBeginKit: {
    en: 'Take the kit: certificate, keys and addresses in one file.',
    pl: 'Weź zestaw: certyfikat, klucze i adresy w jednym pliku.',
    el: 'Πάρτε το κιτ: πιστοποιητικό, κλειδιά και διευθύνσεις σε ένα αρχείο.',
  },
  orgsKit: { en: 'Download the kit', pl: 'Pobierz zestaw', el: 'Λήψη του κιτ' },
  orgsBeginPay: {
    en: 'Start a payment and play its shopper.',
    pl: 'Rozpocznij płatność i zagraj kupującego.',
    el: 'Ξεκινήστε μια πληρωμή και παίξτε τον αγοραστή.',
  },
  orgsBeginWatch: {
    en: 'Watch every call and its answer.',
    pl: 'Oglądaj każde wywołanie i odpowiedź.',
    el: 'Δείτε κάθε κλήση και την απάντησή της.',
  },

  doneOrganization: {
    en: 'The organization is there. Its kit is ready.',
    pl: 'Organizacja istnieje. Jej zestaw jest gotowy.',
    el: 'Ο οργανισμός δημιουργήθηκε. Το κιτ του είναι έτοιμο.',
  },
} as const satisfies Record<string, Sentence>
