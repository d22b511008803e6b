import type { Sentence } from './sentence.ts'

/** What the IRIS pages say: the choice of a bank, the bank itself, and the way back to the shop. */
export const IRIS = {
  irisTitle: { en: 'Choose your bank', pl: 'Wybierz swój bank', el: 'Επιλέξτε την τράπεζά σας' },
  irisLead: {
    en: 'You confirm the payment there, then return to the shop.',
    pl: 'Tam potwierdzisz płatność, a potem wrócisz do sklepu.',
    el: 'Επιβεβαιώνετε εκεί την πληρωμή και επιστρέφετε στο κατάστημα.',
  },
  irisLeft: { en: 'Time to pay', pl: 'Czas na płatność', el: 'Χρόνος για πληρωμή' },
  irisPay: { en: 'Pay', pl: 'Do zapłaty', el: 'Πληρωμή' },
  irisBanks: { en: 'Banks', pl: 'Banki', el: 'Τράπεζες' },
  cancelPayment: {
    en: 'Cancel and return to the shop',
    pl: 'Anuluj i wróć do sklepu',
    el: 'Ακύρωση και επιστροφή στο κατάστημα',
  },
  bankTitle: { en: 'Confirm the payment', pl: 'Potwierdź płatność', el: 'Επιβεβαίωση πληρωμής' },
  payee: { en: 'To', pl: 'Dla', el: 'Προς' },
  confirm: { en: 'Confirm', pl: 'Potwierdź', el: 'Επιβεβαίωση' },
  cancel: { en: 'Cancel', pl: 'Anuluj', el: 'Ακύρωση' },
  otherBank: { en: 'Choose another bank', pl: 'Wybierz inny bank', el: 'Επιλογή άλλης τράπεζας' },
  irisApprovedTitle: { en: 'Payment confirmed', pl: 'Płatność potwierdzona', el: 'Η πληρωμή επιβεβαιώθηκε' },
  irisApprovedLead: {
    en: 'Your bank accepted this payment. There is nothing more to do here.',
    pl: 'Twój bank przyjął tę płatność. Nic więcej nie trzeba tu robić.',
    el: 'Η τράπεζά σας αποδέχτηκε την πληρωμή. Δεν χρειάζεται κάτι άλλο εδώ.',
  },
  irisDeclinedTitle: { en: 'Payment cancelled', pl: 'Płatność anulowana', el: 'Η πληρωμή ακυρώθηκε' },
  irisDeclinedLead: { en: 'Nothing was paid.', pl: 'Nic nie zapłacono.', el: 'Δεν πληρώθηκε τίποτα.' },
  irisExpiredTitle: {
    en: 'This payment request has expired',
    pl: 'To żądanie płatności wygasło',
    el: 'Το αίτημα πληρωμής έληξε',
  },
  irisExpiredLead: {
    en: 'The time to pay ran out. Nothing was paid. Start again in the shop.',
    pl: 'Czas na płatność minął. Nic nie zapłacono. Zacznij od nowa w sklepie.',
    el: 'Ο χρόνος για πληρωμή τελείωσε. Δεν πληρώθηκε τίποτα. Ξεκινήστε ξανά από το κατάστημα.',
  },
  returnToShop: { en: 'Return to the shop', pl: 'Wróć do sklepu', el: 'Επιστροφή στο κατάστημα' },
} as const satisfies Record<string, Sentence>
