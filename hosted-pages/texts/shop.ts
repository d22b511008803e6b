import type { Sentence } from './languages.ts'

/** Texts of the demo shop and of the stage that shows it beside a phone. */
export const SHOP = {
  shopBuy: { en: 'Buy', pl: 'Kup', el: 'Αγορά' },
  shopAll: { en: 'All products', pl: 'Wszystkie produkty', el: 'Όλα τα προϊόντα' },
  shopTitle: { en: 'Shop', pl: 'Sklep', el: 'Κατάστημα' },
  shopOr: { en: 'or {price}', pl: 'lub {price}', el: 'ή {price}' },
  shopCheckout: { en: 'How would you like to pay?', pl: 'Jak chcesz zapłacić?', el: 'Πώς θέλετε να πληρώσετε;' },
  shopCode: { en: 'BLIK code', pl: 'Kod BLIK', el: 'Κωδικός BLIK' },
  shopCodeForm: { en: 'Six digits', pl: 'Sześć cyfr', el: 'Έξι ψηφία' },
  shopCodeNote: {
    en: 'Six digits from your bank app. Then confirm the payment there.',
    pl: 'Sześć cyfr z aplikacji banku. Potem potwierdź tam płatność.',
    el: 'Έξι ψηφία από την εφαρμογή της τράπεζάς σας. Μετά επιβεβαιώστε εκεί την πληρωμή.',
  },
  shopCodeWrong: {
    en: 'A BLIK code has six digits. Please type it again.',
    pl: 'Kod BLIK ma sześć cyfr. Wpisz go ponownie.',
    el: 'Ο κωδικός BLIK έχει έξι ψηφία. Πληκτρολογήστε τον ξανά.',
  },
  shopKeep: {
    en: 'Remember me: next time one click is enough',
    pl: 'Zapamiętaj mnie: następnym razem wystarczy jedno kliknięcie',
    el: 'Να με θυμάστε: την επόμενη φορά αρκεί ένα κλικ',
  },
  shopPayBlik: { en: 'Pay {price} with BLIK', pl: 'Zapłać {price} BLIKIEM', el: 'Πληρωμή {price} με BLIK' },
  shopPayIris: { en: 'Pay {price} with IRIS', pl: 'Zapłać {price} przez IRIS', el: 'Πληρωμή {price} με IRIS' },
  shopIrisNote: {
    en: 'You go to your bank and come back here.',
    pl: 'Przejdziesz do swojego banku i wrócisz tutaj.',
    el: 'Θα μεταβείτε στην τράπεζά σας και θα επιστρέψετε εδώ.',
  },
  shopPayKept: {
    en: 'Pay {price} with one click',
    pl: 'Zapłać {price} jednym kliknięciem',
    el: 'Πληρωμή {price} με ένα κλικ',
  },
  shopKeptNote: {
    en: 'Your bank app keeps this shop: no code is needed.',
    pl: 'Twoja aplikacja banku zapamiętała ten sklep: kod nie jest potrzebny.',
    el: 'Η εφαρμογή της τράπεζάς σας έχει αποθηκεύσει το κατάστημα: δεν χρειάζεται κωδικός.',
  },

  orderWaitingTitle: {
    en: 'Confirm in your bank app',
    pl: 'Potwierdź w aplikacji banku',
    el: 'Επιβεβαιώστε στην εφαρμογή της τράπεζας',
  },
  orderWaitingLead: {
    en: 'Open your bank app and approve the payment.',
    pl: 'Otwórz aplikację banku i potwierdź płatność.',
    el: 'Ανοίξτε την εφαρμογή της τράπεζας και εγκρίνετε την πληρωμή.',
  },
  orderAtBankTitle: { en: 'Confirm at your bank', pl: 'Potwierdź w banku', el: 'Επιβεβαιώστε στην τράπεζά σας' },
  orderAtBankLead: {
    en: 'Confirm the payment at your bank.',
    pl: 'Potwierdź płatność w swoim banku.',
    el: 'Επιβεβαιώστε την πληρωμή στην τράπεζά σας.',
  },
  orderPaidTitle: { en: 'Thank you', pl: 'Dziękujemy', el: 'Ευχαριστούμε' },
  orderPaidLead: {
    en: 'Your order is paid and on its way.',
    pl: 'Zamówienie jest opłacone i w drodze.',
    el: 'Η παραγγελία σας πληρώθηκε και είναι καθ’ οδόν.',
  },
  orderKeptLead: {
    en: 'Your order is paid. Next time one click is enough.',
    pl: 'Zamówienie jest opłacone. Następnym razem wystarczy jedno kliknięcie.',
    el: 'Η παραγγελία σας πληρώθηκε. Την επόμενη φορά αρκεί ένα κλικ.',
  },
  orderRefundedTitle: { en: 'Paid back', pl: 'Pieniądze zwrócone', el: 'Το ποσό επιστράφηκε' },
  orderRefundedLead: {
    en: 'The money is on its way back to your account.',
    pl: 'Pieniądze wracają na Twoje konto.',
    el: 'Τα χρήματα επιστρέφουν στον λογαριασμό σας.',
  },
  orderFailedTitle: { en: 'Not paid', pl: 'Nie zapłacono', el: 'Δεν πληρώθηκε' },
  orderFailedLead: {
    en: 'Nothing was taken from your account. You can try again.',
    pl: 'Nic nie pobrano z Twojego konta. Możesz spróbować ponownie.',
    el: 'Δεν αφαιρέθηκε τίποτα από τον λογαριασμό σας. Μπορείτε να δοκιμάσετε ξανά.',
  },
  orderUnknownTitle: { en: 'We are checking', pl: 'Sprawdzamy', el: 'Ελέγχουμε' },
  orderUnknownLead: {
    en: 'We do not know yet whether the payment went through. Please do not pay twice.',
    pl: 'Jeszcze nie wiemy, czy płatność się udała. Prosimy nie płacić drugi raz.',
    el: 'Δεν γνωρίζουμε ακόμη αν ολοκληρώθηκε η πληρωμή. Παρακαλούμε μην πληρώσετε δύο φορές.',
  },
  orderNumber: { en: 'Order', pl: 'Zamówienie', el: 'Παραγγελία' },
  orderItem: { en: 'Item', pl: 'Produkt', el: 'Προϊόν' },
  orderMethod: { en: 'Payment method', pl: 'Sposób płatności', el: 'Τρόπος πληρωμής' },
  orderReason: { en: 'Why', pl: 'Powód', el: 'Αιτία' },
  problemNoMoney: {
    en: 'There is not enough money on your account.',
    pl: 'Na Twoim koncie jest za mało środków.',
    el: 'Το υπόλοιπο του λογαριασμού σας δεν επαρκεί.',
  },
  problemLimit: {
    en: 'The amount is above the limit that your bank has set.',
    pl: 'Kwota przekracza limit ustawiony w Twoim banku.',
    el: 'Το ποσό υπερβαίνει το όριο που έχει ορίσει η τράπεζά σας.',
  },
  problemTime: {
    en: 'The payment was not confirmed in time.',
    pl: 'Płatność nie została potwierdzona na czas.',
    el: 'Η πληρωμή δεν επιβεβαιώθηκε εγκαίρως.',
  },
  problemDeclined: {
    en: 'The payment was declined in your bank app.',
    pl: 'Płatność została odrzucona w aplikacji banku.',
    el: 'Η πληρωμή απορρίφθηκε στην εφαρμογή της τράπεζάς σας.',
  },
  problemCanceledAtBank: {
    en: 'You cancelled the payment at your bank.',
    pl: 'Płatność została anulowana w banku.',
    el: 'Η πληρωμή ακυρώθηκε στην τράπεζα.',
  },
  problemCode: {
    en: 'This BLIK code is wrong or has expired. Make a new one in your bank app.',
    pl: 'Ten kod BLIK jest błędny albo wygasł. Wygeneruj nowy w aplikacji banku.',
    el: 'Ο κωδικός BLIK είναι λάθος ή έληξε. Δημιουργήστε νέο κωδικό στην εφαρμογή της τράπεζας.',
  },
  problemConsent: {
    en: 'Your bank app no longer keeps this shop. Pay with a new BLIK code.',
    pl: 'Aplikacja Twojego banku nie pamięta już tego sklepu. Zapłać nowym kodem BLIK.',
    el: 'Η εφαρμογή της τράπεζάς σας δεν έχει πια αποθηκευμένο το κατάστημα. Πληρώστε με νέο κωδικό BLIK.',
  },
  problemUnsupported: {
    en: 'Your bank does not offer this way to pay.',
    pl: 'Twój bank nie oferuje tego sposobu płatności.',
    el: 'Η τράπεζά σας δεν προσφέρει αυτόν τον τρόπο πληρωμής.',
  },
  problemOther: {
    en: 'The payment could not be made.',
    pl: 'Nie udało się wykonać płatności.',
    el: 'Η πληρωμή δεν μπόρεσε να γίνει.',
  },
  problemRefund: {
    en: 'It cannot be sent back just now. Please try again later.',
    pl: 'Na razie nie można zwrócić zamówienia. Spróbuj ponownie później.',
    el: 'Η επιστροφή δεν είναι δυνατή τώρα. Δοκιμάστε ξανά αργότερα.',
  },
  orderRefundAsk: {
    en: 'The whole amount is paid back and the order is cancelled. It cannot be undone.',
    pl: 'Zwrócimy całą kwotę i anulujemy zamówienie. Tej operacji nie można odwrócić.',
    el: 'Επιστρέφεται όλο το ποσό και η παραγγελία ακυρώνεται. Δεν αναιρείται.',
  },
  orderRefundYes: { en: 'Yes, send it back', pl: 'Tak, zwróć zamówienie', el: 'Ναι, επιστροφή' },
  orderRefund: { en: 'Send it back', pl: 'Zwróć zamówienie', el: 'Επιστροφή παραγγελίας' },
  orderAgain: { en: 'Try again', pl: 'Spróbuj ponownie', el: 'Δοκιμάστε ξανά' },
  orderMore: { en: 'Keep shopping', pl: 'Kontynuuj zakupy', el: 'Συνέχεια αγορών' },
  orderToBank: { en: 'Go to the bank', pl: 'Przejdź do banku', el: 'Μετάβαση στην τράπεζα' },
  orderLook: { en: 'Look again', pl: 'Sprawdź ponownie', el: 'Ελέγξτε ξανά' },
  returnToBrowser: {
    en: 'Return to the browser in which you bought.',
    pl: 'Wróć do przeglądarki, w której trwały zakupy.',
    el: 'Επιστρέψτε στο πρόγραμμα περιήγησης όπου κάνατε την αγορά.',
  },
  orderSteps: { en: 'What the shop did', pl: 'Co zrobił sklep', el: 'Τι έκανε το κατάστημα' },
  stepCall: { en: 'signed call', pl: 'podpisane wywołanie', el: 'υπογεγραμμένη κλήση' },
  stepWebhook: { en: 'verified webhook', pl: 'zweryfikowany webhook', el: 'επαληθευμένο webhook' },
  stepFailed: { en: 'refused', pl: 'odmowa', el: 'άρνηση' },

  shopAbout: {
    en: 'An invented shop of {organization}: it calls the sandbox with its keys and certificate and verifies every webhook.',
    pl: 'Fikcyjny sklep organizacji {organization}: wywołuje piaskownicę jej kluczami i certyfikatem oraz weryfikuje każdy webhook.',
    el: 'Εικονικό κατάστημα του οργανισμού {organization}: καλεί το περιβάλλον δοκιμών με τα κλειδιά και το πιστοποιητικό του και επαληθεύει κάθε webhook.',
  },
  shopOnPhone: { en: 'Open on my phone', pl: 'Otwórz na moim telefonie', el: 'Άνοιγμα στο κινητό μου' },
  shopOnPhoneLead: {
    en: 'Point the camera at the code: the same shop opens.',
    pl: 'Skieruj aparat na kod: otworzy się ten sam sklep.',
    el: 'Στρέψτε την κάμερα στον κωδικό: ανοίγει το ίδιο κατάστημα.',
  },
  shopQrLabel: {
    en: 'QR code with the address of this shop',
    pl: 'Kod QR z adresem tego sklepu',
    el: 'Κωδικός QR με τη διεύθυνση του καταστήματος',
  },
  shopQrOnlyHere: {
    en: 'Only this machine reaches {host}: open this page by a name that the phone can reach.',
    pl: 'Tylko ten komputer zna adres {host}: otwórz tę stronę pod nazwą dostępną dla telefonu.',
    el: 'Μόνο αυτός ο υπολογιστής βρίσκει το {host}: ανοίξτε τη σελίδα με όνομα που βρίσκει το κινητό.',
  },
  shopOnStage: { en: 'Show side by side', pl: 'Pokaż obok siebie', el: 'Άνοιγμα παράλληλης προβολής' },
  demoOn: { en: 'Begin demo mode', pl: 'Włącz tryb pokazowy', el: 'Έναρξη λειτουργίας επίδειξης' },
  demoOff: { en: 'End demo mode', pl: 'Wyłącz tryb pokazowy', el: 'Τέλος λειτουργίας επίδειξης' },

  stageTitle: { en: 'Side by side', pl: 'Widok obok siebie', el: 'Παράλληλη προβολή' },
  stagePhone: { en: 'Phone', pl: 'Telefon', el: 'Κινητό' },
  stageTimeline: { en: 'Timeline', pl: 'Oś czasu', el: 'Χρονολόγιο' },
  stagePlay: { en: 'Play a payment', pl: 'Pokaż przebieg płatności', el: 'Επίδειξη πληρωμής' },
  stagePlaying: { en: 'Playing…', pl: 'Trwa pokaz…', el: 'Γίνεται επίδειξη…' },
  stageLeave: { en: 'Only the shop', pl: 'Sam sklep', el: 'Μόνο το κατάστημα' },
  stageAtBank: {
    en: 'This payment is made on a bank’s page, in the shop’s window: the phone is not needed.',
    pl: 'Ta płatność odbywa się na stronie banku, w oknie sklepu: telefon nie jest potrzebny.',
    el: 'Αυτή η πληρωμή γίνεται στη σελίδα της τράπεζας, στο παράθυρο του καταστήματος: το κινητό δεν χρειάζεται.',
  },
  stageNothing: {
    en: 'Buy something: everything that happens to the payment appears here.',
    pl: 'Kup coś: tutaj pojawi się wszystko, co dzieje się z płatnością.',
    el: 'Αγοράστε κάτι: όλα όσα συμβαίνουν στην πληρωμή εμφανίζονται εδώ.',
  },

  landingShow: { en: 'Show a payment', pl: 'Pokaż płatność', el: 'Δείτε μια πληρωμή' },
  landingShowNote: {
    en: 'A demo shop, a phone and the timeline, side by side.',
    pl: 'Sklep pokazowy, telefon i oś czasu obok siebie.',
    el: 'Κατάστημα επίδειξης, κινητό και χρονολόγιο, δίπλα δίπλα.',
  },
  landingShop: { en: 'Open the demo shop', pl: 'Otwórz sklep pokazowy', el: 'Άνοιγμα του καταστήματος επίδειξης' },
} as const satisfies Record<string, Sentence>
