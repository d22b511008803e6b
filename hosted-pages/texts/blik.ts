import type { Sentence } from './sentence.ts'

/** What the phone says: a bank app into which BLIK payments are pushed. */
export const BLIK = {
  phoneBank: { en: 'Bank Modrzew', pl: 'Bank Modrzew', el: 'Bank Modrzew' },
  phoneTitle: { en: 'Pay with BLIK', pl: 'Zapłać BLIKIEM', el: 'Πληρωμή με BLIK' },
  phoneLead: {
    en: 'Six digits are all a shop needs to ask this phone for a payment.',
    pl: 'Sześć cyfr wystarczy, żeby sklep poprosił ten telefon o płatność.',
    el: 'Έξι ψηφία αρκούν για να ζητήσει ένα κατάστημα πληρωμή από αυτό το κινητό.',
  },
  phoneStep1: { en: 'Make a code here.', pl: 'Wygeneruj tutaj kod.', el: 'Δημιουργήστε εδώ έναν κωδικό.' },
  phoneStep2: {
    en: 'Type it in the shop within two minutes.',
    pl: 'Wpisz go w sklepie w ciągu dwóch minut.',
    el: 'Πληκτρολογήστε τον στο κατάστημα μέσα σε δύο λεπτά.',
  },
  phoneStep3: {
    en: 'Come back and approve the payment.',
    pl: 'Wróć tu i potwierdź płatność.',
    el: 'Επιστρέψτε και εγκρίνετε την πληρωμή.',
  },
  phoneOf: {
    en: 'Works in the shops of {organization}',
    pl: 'Działa w sklepach organizacji {organization}',
    el: 'Λειτουργεί στα καταστήματα του {organization}',
  },
  newCode: { en: 'Make a BLIK code', pl: 'Wygeneruj kod BLIK', el: 'Δημιουργία κωδικού BLIK' },
  anotherCode: { en: 'Make a new code', pl: 'Wygeneruj nowy kod', el: 'Νέος κωδικός' },
  close: { en: 'Close', pl: 'Zamknij', el: 'Κλείσιμο' },

  codeTitle: { en: 'Your BLIK code', pl: 'Twój kod BLIK', el: 'Ο κωδικός BLIK σας' },
  codeLead: {
    en: 'Type it in the shop. The payment then appears here.',
    pl: 'Wpisz go w sklepie. Płatność pojawi się tutaj.',
    el: 'Πληκτρολογήστε τον στο κατάστημα. Η πληρωμή θα εμφανιστεί εδώ.',
  },
  codeLeft: { en: 'Valid for', pl: 'Ważny jeszcze', el: 'Ισχύει για' },
  copy: { en: 'Copy the code', pl: 'Kopiuj kod', el: 'Αντιγραφή κωδικού' },
  copied: { en: 'Copied', pl: 'Skopiowano', el: 'Αντιγράφηκε' },
  waitingForShop: { en: 'Waiting for the shop', pl: 'Czekam na sklep', el: 'Αναμονή για το κατάστημα' },
  withoutScript: {
    en: 'This page does not renew itself without JavaScript.',
    pl: 'Bez JavaScriptu ta strona nie odświeża się sama.',
    el: 'Χωρίς JavaScript η σελίδα δεν ανανεώνεται μόνη της.',
  },
  refresh: { en: 'Look for a payment', pl: 'Sprawdź, czy jest płatność', el: 'Έλεγχος για πληρωμή' },
  codeExpiredTitle: { en: 'This code has expired', pl: 'Ten kod wygasł', el: 'Ο κωδικός έληξε' },
  codeExpiredLead: {
    en: 'No shop used it in time. Nothing was paid.',
    pl: 'Żaden sklep nie użył go na czas. Nic nie zapłacono.',
    el: 'Κανένα κατάστημα δεν τον χρησιμοποίησε εγκαίρως. Δεν πληρώθηκε τίποτα.',
  },

  askTitle: { en: 'Approve this payment?', pl: 'Potwierdzić tę płatność?', el: 'Έγκριση αυτής της πληρωμής;' },
  askKeepTitle: { en: 'Keep this shop?', pl: 'Zapamiętać ten sklep?', el: 'Αποθήκευση αυτού του καταστήματος;' },
  keepsShop: {
    en: 'Keeps this shop for later payments',
    pl: 'Zapamiętuje ten sklep na kolejne płatności',
    el: 'Αποθηκεύει το κατάστημα για μελλοντικές πληρωμές',
  },
  paysNothing: { en: 'Nothing is paid now', pl: 'Teraz nic nie płacisz', el: 'Τώρα δεν πληρώνετε τίποτα' },
  askLeft: { en: 'Time to decide', pl: 'Czas na decyzję', el: 'Χρόνος για απόφαση' },
  shop: { en: 'Shop', pl: 'Sklep', el: 'Κατάστημα' },
  description: { en: 'For', pl: 'Za', el: 'Για' },
  amount: { en: 'Amount', pl: 'Kwota', el: 'Ποσό' },
  approve: { en: 'Approve', pl: 'Potwierdź', el: 'Έγκριση' },
  decline: { en: 'Decline', pl: 'Odrzuć', el: 'Απόρριψη' },
  approvedTitle: { en: 'Payment approved', pl: 'Płatność potwierdzona', el: 'Η πληρωμή εγκρίθηκε' },
  approvedLead: {
    en: 'You can go back to the shop now.',
    pl: 'Możesz teraz wrócić do sklepu.',
    el: 'Μπορείτε τώρα να επιστρέψετε στο κατάστημα.',
  },
  keptTitle: { en: 'Shop kept', pl: 'Sklep zapamiętany', el: 'Το κατάστημα αποθηκεύτηκε' },
  keptLead: {
    en: 'It may ask for payments without you, until you revoke that.',
    pl: 'Może pobierać płatności bez Ciebie, dopóki tego nie cofniesz.',
    el: 'Μπορεί να ζητά πληρωμές χωρίς εσάς, μέχρι να το ανακαλέσετε.',
  },
  declinedTitle: { en: 'Payment declined', pl: 'Płatność odrzucona', el: 'Η πληρωμή απορρίφθηκε' },
  declinedLead: {
    en: 'Nothing was paid. You can go back to the shop.',
    pl: 'Nic nie zapłacono. Możesz wrócić do sklepu.',
    el: 'Δεν πληρώθηκε τίποτα. Μπορείτε να επιστρέψετε στο κατάστημα.',
  },
  lapsedTitle: { en: 'Too late to decide', pl: 'Za późno na decyzję', el: 'Πολύ αργά για απόφαση' },
  lapsedLead: {
    en: 'The time for this payment ran out. Nothing was paid.',
    pl: 'Czas na tę płatność minął. Nic nie zapłacono.',
    el: 'Ο χρόνος για αυτή την πληρωμή τελείωσε. Δεν πληρώθηκε τίποτα.',
  },
} as const satisfies Record<string, Sentence>
