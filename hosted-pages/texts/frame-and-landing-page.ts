import type { Sentence } from './languages.ts'

/** Texts of the frame around every page, of the landing page and of the page for 404. */
export const FRAME = {
  product: { en: 'Assay sandbox', pl: 'Piaskownica Assay', el: 'Περιβάλλον δοκιμών Assay' },
  sandboxMark: { en: 'Sandbox', pl: 'Test', el: 'Δοκιμή' },
  noRealMoney: {
    en: 'no real money, no bank',
    pl: 'bez prawdziwych pieniędzy i banków',
    el: 'χωρίς αληθινά χρήματα ή τράπεζες',
  },
  notLive: {
    en: 'page not updating, trying again',
    pl: 'strona się nie odświeża, ponawiamy próbę',
    el: 'η σελίδα δεν ανανεώνεται, νέα προσπάθεια',
  },
  updatesItself: {
    en: 'This page updates by itself.',
    pl: 'Ta strona odświeży się sama.',
    el: 'Η σελίδα θα ανανεωθεί αυτόματα.',
  },
  withoutScript: {
    en: 'This page does not renew itself without JavaScript.',
    pl: 'Bez JavaScriptu ta strona nie odświeża się sama.',
    el: 'Χωρίς JavaScript η σελίδα δεν ανανεώνεται μόνη της.',
  },

  appearance: { en: 'Theme and language', pl: 'Motyw i język', el: 'Θέμα και γλώσσα' },
  theme: { en: 'Theme', pl: 'Motyw', el: 'Θέμα' },
  themeLight: { en: 'Light', pl: 'Jasny', el: 'Φωτεινό' },
  themeDark: { en: 'Dark', pl: 'Ciemny', el: 'Σκούρο' },
  themeSystem: { en: 'As the system', pl: 'Jak w systemie', el: 'Όπως το σύστημα' },
  language: { en: 'Language', pl: 'Język', el: 'Γλώσσα' },

  landingTitle: {
    en: 'A payment sandbox is running here',
    pl: 'Tu działa piaskownica płatności',
    el: 'Εδώ λειτουργεί ένα περιβάλλον δοκιμών πληρωμών',
  },
  landingLead: {
    en: 'Shops call the API with their keys and certificate. You play the shopper: on a phone for BLIK, at an invented bank for IRIS.',
    pl: 'Sklepy wywołują API swoimi kluczami i certyfikatem. Ty grasz kupującego: na telefonie w BLIKU, w fikcyjnym banku w IRIS.',
    el: 'Τα καταστήματα καλούν το API με τα κλειδιά και το πιστοποιητικό τους. Εσείς παίζετε τον αγοραστή: σε κινητό για BLIK, σε εικονική τράπεζα για IRIS.',
  },
  layersOff: { en: 'Switched off:', pl: 'Wyłączone:', el: 'Απενεργοποιημένα:' },
  layerCertificate: { en: 'certificate', pl: 'certyfikat', el: 'πιστοποιητικό' },
  layerSignature: { en: 'signature', pl: 'podpis', el: 'υπογραφή' },
  layerToken: { en: 'token', pl: 'token', el: 'token' },
  layerOffAt: { en: '{layer} at {url}', pl: '{layer} pod adresem {url}', el: '{layer} στο {url}' },
  certificateOffNote: {
    en: 'Calls without a certificate count as demo-merchant’s.',
    pl: 'Wywołania bez certyfikatu są przypisywane do demo-merchant.',
    el: 'Οι κλήσεις χωρίς πιστοποιητικό αποδίδονται στον demo-merchant.',
  },
  layersOffNote: {
    en: 'Every response says so.',
    pl: 'Mówi o tym każda odpowiedź.',
    el: 'Το λέει και κάθε απάντηση.',
  },
  variety: { en: 'Variety:', pl: 'Zmienność:', el: 'Ποικιλία:' },
  varietyNote: {
    en: 'Responses of the API vary within its specification; the same seed repeats them.',
    pl: 'Odpowiedzi różnią się w granicach specyfikacji API; to samo ziarno je powtarza.',
    el: 'Οι απαντήσεις διαφέρουν μέσα στα όρια των προδιαγραφών του API· ο ίδιος σπόρος τις επαναλαμβάνει.',
  },
  organizations: { en: 'Organizations', pl: 'Organizacje', el: 'Οργανισμοί' },
  findAnything: {
    en: 'Find by id or its end, reference or amount',
    pl: 'Szukaj po id lub jego końcu, numerze referencyjnym albo kwocie',
    el: 'Αναζήτηση με id ή το τέλος του, αναφορά ή ποσό',
  },
  findOrganization: { en: 'Find an organization', pl: 'Znajdź organizację', el: 'Εύρεση οργανισμού' },
  findNow: { en: 'Find', pl: 'Szukaj', el: 'Αναζήτηση' },
  findNone: {
    en: 'No organization has this in its id.',
    pl: 'Żadna organizacja nie ma tego w identyfikatorze.',
    el: 'Κανένας οργανισμός δεν έχει αυτό στο αναγνωριστικό του.',
  },
  findMore: { en: 'More organizations', pl: 'Więcej organizacji', el: 'Περισσότεροι οργανισμοί' },
  organizationsHidden: {
    en: 'Sign in to the portal to see them.',
    pl: 'Zaloguj się do portalu, aby je zobaczyć.',
    el: 'Συνδεθείτε στην πύλη για να τους δείτε.',
  },
  noOrganizations: {
    en: 'There is no organization yet. POST /control/organizations makes one.',
    pl: 'Nie ma jeszcze żadnej organizacji. Tworzy ją POST /control/organizations.',
    el: 'Δεν υπάρχει ακόμη οργανισμός. Τον δημιουργεί το POST /control/organizations.',
  },
  clock: { en: 'Clock', pl: 'Zegar', el: 'Ρολόι' },
  clockFrozen: { en: 'frozen', pl: 'zatrzymany', el: 'σταματημένο' },
  clockScaled: { en: '{rate} × as fast', pl: 'tempo × {rate}', el: 'ρυθμός × {rate}' },
  reference: { en: 'reference', pl: 'dokumentacja', el: 'τεκμηρίωση' },
  portal: { en: 'Portal', pl: 'Portal', el: 'Πύλη' },
  portalNote: {
    en: 'organizations, keys, webhooks, journal and clock, to look at and to change',
    pl: 'organizacje, klucze, webhooki, dziennik i zegar, do podglądu i zmian',
    el: 'οργανισμοί, κλειδιά, webhooks, αρχείο κλήσεων και ρολόι, για προβολή και αλλαγές',
  },
  signOut: { en: 'Sign out', pl: 'Wyloguj się', el: 'Αποσύνδεση' },
  waysIn: { en: 'Where to begin', pl: 'Od czego zacząć', el: 'Από πού να αρχίσετε' },
  phone: { en: 'Phone', pl: 'Telefon', el: 'Κινητό' },
  phoneNote: {
    en: 'codes and consent in the app of an invented bank: play the shopper',
    pl: 'kody i zgoda w aplikacji fikcyjnego banku: zagraj kupującego',
    el: 'κωδικοί και έγκριση στην εφαρμογή μιας εικονικής τράπεζας: παίξτε τον αγοραστή',
  },
  openPhone: { en: 'Open the BLIK phone', pl: 'Otwórz telefon BLIK', el: 'Άνοιγμα κινητού BLIK' },
  kit: { en: 'Keys and certificate', pl: 'Klucze i certyfikat', el: 'Κλειδιά και πιστοποιητικό' },
  journal: { en: 'Journal', pl: 'Dziennik', el: 'Αρχείο κλήσεων' },
  unknownCallers: {
    en: 'Calls that belong to no organization',
    pl: 'Wywołania, które nie należą do żadnej organizacji',
    el: 'Κλήσεις που δεν ανήκουν σε οργανισμό',
  },
  unknownCallersNote: {
    en: 'for instance without a known certificate',
    pl: 'na przykład bez znanego certyfikatu',
    el: 'για παράδειγμα χωρίς γνωστό πιστοποιητικό',
  },

  notFoundTitle: {
    en: 'There is nothing at this address',
    pl: 'Pod tym adresem nic nie ma',
    el: 'Δεν υπάρχει τίποτα σε αυτή τη διεύθυνση',
  },
  notFoundLead: {
    en: 'The link may be incomplete, or the sandbox was started anew since it was made.',
    pl: 'Link może być niepełny albo po jego utworzeniu piaskownicę uruchomiono od nowa.',
    el: 'Ο σύνδεσμος ίσως είναι ελλιπής ή το περιβάλλον ξεκίνησε από την αρχή αφότου δημιουργήθηκε.',
  },
  tooManyPhonesTitle: {
    en: 'This organization has too many phones',
    pl: 'Ta organizacja ma za dużo telefonów',
    el: 'Ο οργανισμός έχει πάρα πολλά κινητά',
  },
  tooManyPhonesLead: {
    en: 'Use one of them, or reset the organization.',
    pl: 'Użyj jednego z nich albo zresetuj organizację.',
    el: 'Χρησιμοποιήστε ένα από αυτά ή επαναφέρετε τον οργανισμό.',
  },
  tooManyCodesTitle: {
    en: 'Too many codes are valid now',
    pl: 'Jest za dużo ważnych kodów',
    el: 'Ισχύουν πάρα πολλοί κωδικοί',
  },
  tooManyCodesLead: {
    en: 'Use one of them, or wait two minutes.',
    pl: 'Użyj jednego z nich albo odczekaj dwie minuty.',
    el: 'Χρησιμοποιήστε έναν από αυτούς ή περιμένετε δύο λεπτά.',
  },
  toStart: { en: 'Go to the start page', pl: 'Przejdź na stronę startową', el: 'Στην αρχική σελίδα' },
} as const satisfies Record<string, Sentence>
