import type { Sentence } from '../../texts/sentence.ts'

/** Reports and what methods can do. */
export const PORTAL_REPORTS = {
  reportsLead: {
    en: 'One file for each day that is over, each account and each type: the same that the API lists.',
    pl: 'Jeden plik na każdy zakończony dzień, konto i rodzaj: te same, które podaje API.',
    el: 'Ένα αρχείο για κάθε ημέρα που τελείωσε, λογαριασμό και τύπο: τα ίδια που δίνει το API.',
  },
  reportsFrom: { en: 'From', pl: 'Od', el: 'Από' },
  reportsTo: { en: 'To', pl: 'Do', el: 'Έως' },
  reportsAccount: { en: 'Account', pl: 'Konto', el: 'Λογαριασμός' },
  reportsType: { en: 'Type', pl: 'Rodzaj', el: 'Τύπος' },
  reportsAny: { en: 'any', pl: 'dowolne', el: 'οποιοδήποτε' },
  reportsShow: { en: 'Show', pl: 'Pokaż', el: 'Εμφάνιση' },
  reportsDay: { en: 'Day (UTC)', pl: 'Dzień (UTC)', el: 'Ημέρα (UTC)' },
  reportsRecords: { en: 'Records', pl: 'Wiersze', el: 'Εγγραφές' },
  reportsFile: { en: 'File', pl: 'Plik', el: 'Αρχείο' },
  reportsNone: {
    en: 'No report in these days: one is made where money moved and the day is over.',
    pl: 'Brak raportów z tych dni: powstają tam, gdzie ruszyły pieniądze, a dzień się skończył.',
    el: 'Καμία αναφορά σε αυτές τις ημέρες: φτιάχνεται όπου κινήθηκαν χρήματα και η ημέρα τελείωσε.',
  },
  reportsToday: { en: 'The reports of today', pl: 'Raporty z dzisiaj', el: 'Οι αναφορές της ημέρας' },
  reportsTodayNote: {
    en: 'They are there when the day is over on the clock of the organization:',
    pl: 'Będą, gdy dzień skończy się według zegara organizacji:',
    el: 'Θα υπάρχουν όταν τελειώσει η ημέρα στο ρολόι του οργανισμού:',
  },
  reportsFinishDay: {
    en: 'Let the day end now',
    pl: 'Zakończ dzień teraz',
    el: 'Τέλος ημέρας τώρα',
  },

  capsLead: {
    en: 'What each payment method can do, as the contract says; for one account you may say otherwise, to see what your code does then.',
    pl: 'Co potrafi każda metoda płatności według umowy; dla jednego konta możesz to zmienić i zobaczyć, co zrobi Twój kod.',
    el: 'Τι μπορεί κάθε μέθοδος πληρωμής κατά τη σύμβαση· για έναν λογαριασμό μπορείτε να το αλλάξετε και να δείτε τι κάνει ο κώδικάς σας.',
  },
  capsOperation: { en: 'Operation', pl: 'Operacja', el: 'Λειτουργία' },
  capsYes: { en: 'yes', pl: 'tak', el: 'ναι' },
  capsNo: { en: 'no', pl: 'nie', el: 'όχι' },
  capsNote: {
    en: 'A marked cell differs from the contract.',
    pl: 'Zaznaczona komórka różni się od umowy.',
    el: 'Το σημειωμένο κελί διαφέρει από τη σύμβαση.',
  },
  capsSave: { en: 'Save for this account', pl: 'Zapisz dla tego konta', el: 'Αποθήκευση για τον λογαριασμό' },
  capsUsual: { en: 'Back to the contract', pl: 'Wróć do umowy', el: 'Επιστροφή στη σύμβαση' },

  doneDay: {
    en: 'The day is over: its reports are in the list.',
    pl: 'Dzień się skończył: jego raporty są na liście.',
    el: 'Η ημέρα τελείωσε: οι αναφορές της είναι στη λίστα.',
  },
  doneCapabilities: {
    en: 'Saved: the next call obeys it.',
    pl: 'Zapisano: obowiązuje od następnego wywołania.',
    el: 'Αποθηκεύτηκε: ισχύει από την επόμενη κλήση.',
  },
} as const satisfies Record<string, Sentence>

/** What people call the capabilities of the table. */
export const CAPABILITY_NAMES = {
  refund: { en: 'Refund', pl: 'Zwrot', el: 'Επιστροφή χρημάτων' },
  partialRefund: { en: 'Partial refund', pl: 'Zwrot częściowy', el: 'Μερική επιστροφή' },
  multiplePartialRefunds: {
    en: 'Several partial refunds',
    pl: 'Kilka zwrotów częściowych',
    el: 'Πολλές μερικές επιστροφές',
  },
  laterCapture: { en: 'Later capture', pl: 'Późniejsze pobranie', el: 'Μεταγενέστερη είσπραξη' },
  partialCapture: { en: 'Partial capture', pl: 'Pobranie częściowe', el: 'Μερική είσπραξη' },
  multiplePartialCaptures: {
    en: 'Several partial captures',
    pl: 'Kilka pobrań częściowych',
    el: 'Πολλές μερικές εισπράξεις',
  },
  recurring: { en: 'Recurring payments', pl: 'Płatności cykliczne', el: 'Επαναλαμβανόμενες πληρωμές' },
  tokenOnly: { en: 'Consent without a payment', pl: 'Zgoda bez płatności', el: 'Συναίνεση χωρίς πληρωμή' },
  incrementalAuthorization: { en: 'Incremental authorization', pl: 'Zwiększenie autoryzacji', el: 'Αύξηση έγκρισης' },
  disputes: { en: 'Disputes', pl: 'Spory', el: 'Αμφισβητήσεις' },
  splitPayments: { en: 'Split payments', pl: 'Płatności dzielone', el: 'Διαμοιρασμένες πληρωμές' },
} as const satisfies Record<string, Sentence>
