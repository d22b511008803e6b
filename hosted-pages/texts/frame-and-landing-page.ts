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
    en: 'not live for the moment, trying again',
    pl: 'chwilowo nie na żywo, ponawiam próbę',
    el: 'προσωρινά όχι ζωντανά, νέα προσπάθεια',
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
    en: 'Shops call the API with their kit. You play the shopper: on a phone for BLIK, at an invented bank for IRIS.',
    pl: 'Sklepy wywołują API swoim zestawem. Ty grasz kupującego: na telefonie w BLIK-u, w zmyślonym banku w IRIS.',
    el: 'Τα καταστήματα καλούν το API με το κιτ τους. Εσείς παίζετε τον αγοραστή: σε κινητό για BLIK, σε φανταστική τράπεζα για IRIS.',
  },
  layersOff: { en: 'Switched off:', pl: 'Wyłączone:', el: 'Απενεργοποιημένα:' },
  layersOffNote: {
    en: 'Who shows no certificate is demo-merchant. Every answer says so too.',
    pl: 'Kto nie okaże certyfikatu, jest demo-merchant. Mówi o tym też każda odpowiedź.',
    el: 'Όποιος δεν δείχνει πιστοποιητικό είναι ο demo-merchant. Το λέει και κάθε απάντηση.',
  },
  variety: { en: 'Variety:', pl: 'Zmienność:', el: 'Ποικιλία:' },
  varietyNote: {
    en: 'Answers of the API vary within the contract; the same seed repeats them.',
    pl: 'Odpowiedzi API różnią się w granicach umowy; to samo ziarno je powtarza.',
    el: 'Οι απαντήσεις του API διαφέρουν μέσα στα όρια της σύμβασης· ο ίδιος σπόρος τις επαναλαμβάνει.',
  },
  organizations: { en: 'Organizations', pl: 'Organizacje', el: 'Οργανισμοί' },
  findAnything: {
    en: 'Find by id or its end, reference or amount',
    pl: 'Szukaj po id lub jego końcu, numerze albo kwocie',
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
  clockScaled: { en: '{rate} × as fast', pl: '{rate} × szybciej', el: '{rate} × πιο γρήγορα' },
  portal: { en: 'Portal', pl: 'Portal', el: 'Πύλη' },
  portalNote: {
    en: 'organizations, keys, webhooks, journal and clock, to look at and to change',
    pl: 'organizacje, klucze, webhooki, dziennik i zegar, do podglądu i zmian',
    el: 'οργανισμοί, κλειδιά, webhooks, ημερολόγιο και ρολόι, για προβολή και αλλαγές',
  },
  signOut: { en: 'Sign out', pl: 'Wyloguj się', el: 'Αποσύνδεση' },
  waysIn: { en: 'Where to begin', pl: 'Od czego zacząć', el: 'Από πού να αρχίσετε' },
  phone: { en: 'Phone', pl: 'Telefon', el: 'Κινητό' },
  phoneNote: {
    en: 'codes and consent in the app of an invented bank: play the shopper',
    pl: 'kody i zgoda w aplikacji zmyślonego banku: zagraj kupującego',
    el: 'κωδικοί και έγκριση στην εφαρμογή μιας φανταστικής τράπεζας: παίξτε τον αγοραστή',
  },
  openPhone: { en: 'Open the BLIK phone', pl: 'Otwórz telefon BLIK', el: 'Άνοιγμα κινητού BLIK' },
  kit: { en: 'Kit', pl: 'Zestaw', el: 'Κιτ' },
  journal: { en: 'Journal', pl: 'Dziennik', el: 'Ημερολόγιο' },
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
    pl: 'Link może być niepełny albo piaskownicę uruchomiono od nowa, odkąd powstał.',
    el: 'Ο σύνδεσμος ίσως είναι ελλιπής ή το περιβάλλον ξεκίνησε από την αρχή αφότου δημιουργήθηκε.',
  },
  toStart: { en: 'Go to the start page', pl: 'Przejdź na stronę startową', el: 'Στην αρχική σελίδα' },
} as const satisfies Record<string, Sentence>
