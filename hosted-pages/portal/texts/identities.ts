import type { Sentence } from '../../texts/sentence.ts'

/** Signing keys and certificates. */
export const PORTAL_IDENTITIES = {
  idsLead: {
    en: 'Two key pairs prove who calls: one opens the connection (mTLS), the other signs every request. Never use one for both.',
    pl: 'Kto woła, dowodzą dwie pary kluczy: jedna otwiera połączenie (mTLS), druga podpisuje każde żądanie. Nigdy jedna do obu.',
    el: 'Δύο ζεύγη κλειδιών αποδεικνύουν ποιος καλεί: το ένα ανοίγει τη σύνδεση (mTLS), το άλλο υπογράφει κάθε αίτημα. Ποτέ το ίδιο και για τα δύο.',
  },
  idsKeys: { en: 'Signing keys', pl: 'Klucze podpisu', el: 'Κλειδιά υπογραφής' },
  idsKeysNote: {
    en: 'A key signs for twelve months on the clock of the organization. Where bars stand above each other, each of the keys is accepted: rotate in that overlap. The line is now.',
    pl: 'Klucz podpisuje przez dwanaście miesięcy według zegara organizacji. Gdzie paski się pokrywają, przyjmowany jest każdy z kluczy: wtedy je wymieniaj. Kreska to teraz.',
    el: 'Ένα κλειδί υπογράφει για δώδεκα μήνες κατά το ρολόι του οργανισμού. Όπου οι μπάρες επικαλύπτονται, γίνεται δεκτό κάθε κλειδί: τότε κάντε την αλλαγή. Η γραμμή είναι το τώρα.',
  },
  idsNoKeys: {
    en: 'No key is registered: every signed call is refused until you register one.',
    pl: 'Nie ma żadnego klucza: każde podpisane wywołanie zostanie odrzucone, póki go nie zarejestrujesz.',
    el: 'Δεν υπάρχει κλειδί: κάθε υπογεγραμμένη κλήση απορρίπτεται μέχρι να καταχωρίσετε ένα.',
  },
  idsKeyId: { en: 'Key id (keyid)', pl: 'Identyfikator (keyid)', el: 'Αναγνωριστικό (keyid)' },
  idsAlgorithm: { en: 'Algorithm', pl: 'Algorytm', el: 'Αλγόριθμος' },
  idsLife: { en: 'Valid', pl: 'Ważność', el: 'Ισχύς' },
  idsLifeLabel: { en: 'from {from} to {to}', pl: 'od {from} do {to}', el: 'από {from} έως {to}' },
  idsRotate: {
    en: 'Register a key, or rotate to a new one',
    pl: 'Zarejestruj lub wymień klucz',
    el: 'Καταχώριση ή αλλαγή κλειδιού',
  },
  idsRotate1: {
    en: 'Make a pair; the private half stays with you.',
    pl: 'Utwórz parę; klucz prywatny zostaje u Ciebie.',
    el: 'Φτιάξτε ένα ζεύγος· το ιδιωτικό μισό μένει σε εσάς.',
  },
  idsRotate2: {
    en: 'Paste the public half below and register it.',
    pl: 'Wklej poniżej klucz publiczny i zarejestruj go.',
    el: 'Επικολλήστε παρακάτω το δημόσιο μισό και καταχωρίστε το.',
  },
  idsRotate3: {
    en: 'Sign with the new key, watch it work, then deregister the old one.',
    pl: 'Podpisuj nowym kluczem, sprawdź, że działa, potem wyrejestruj stary.',
    el: 'Υπογράψτε με το νέο κλειδί, βεβαιωθείτε ότι δουλεύει και μετά καταργήστε το παλιό.',
  },
  idsPublicKey: { en: 'Public key', pl: 'Klucz publiczny', el: 'Δημόσιο κλειδί' },
  idsPublicKeyHint: {
    en: 'PEM or JWK, on P-256, P-384 or P-521.',
    pl: 'PEM lub JWK, na krzywej P-256, P-384 lub P-521.',
    el: 'PEM ή JWK, σε P-256, P-384 ή P-521.',
  },
  idsRegister: { en: 'Register the key', pl: 'Zarejestruj klucz', el: 'Καταχώριση κλειδιού' },
  idsDeregister: { en: 'Deregister', pl: 'Wyrejestruj', el: 'Κατάργηση' },
  idsDeregisterWarning: {
    en: 'Nothing that it signs is accepted any more, from this moment.',
    pl: 'Od tej chwili nic, co podpisze, nie będzie przyjęte.',
    el: 'Από αυτή τη στιγμή τίποτα που υπογράφει δεν γίνεται δεκτό.',
  },
  idsDeregisterNow: { en: 'Deregister it', pl: 'Wyrejestruj go', el: 'Κατάργηση τώρα' },

  idsCertificates: { en: 'Client certificates', pl: 'Certyfikaty klienta', el: 'Πιστοποιητικά πελάτη' },
  idsCertificatesNote: {
    en: 'Certificates keep to real time, whatever the clock of the organization shows.',
    pl: 'Certyfikaty trzymają się czasu rzeczywistego, cokolwiek pokazuje zegar organizacji.',
    el: 'Τα πιστοποιητικά ακολουθούν τον πραγματικό χρόνο, ό,τι κι αν δείχνει το ρολόι του οργανισμού.',
  },
  idsNoCertificates: {
    en: 'There is no certificate: no call can open a connection.',
    pl: 'Nie ma certyfikatu: żadne wywołanie nie otworzy połączenia.',
    el: 'Δεν υπάρχει πιστοποιητικό: καμία κλήση δεν ανοίγει σύνδεση.',
  },
  idsCertificate: { en: 'Client certificate', pl: 'Certyfikat klienta', el: 'Πιστοποιητικό πελάτη' },
  idsFingerprint: { en: 'Fingerprint (SHA-256)', pl: 'Odcisk (SHA-256)', el: 'Αποτύπωμα (SHA-256)' },
  idsSubject: { en: 'Subject', pl: 'Podmiot', el: 'Υποκείμενο' },
  idsSerial: { en: 'Serial number', pl: 'Numer seryjny', el: 'Σειριακός αριθμός' },
  idsIssue: {
    en: 'Issue one for your own key (CSR)',
    pl: 'Wystaw dla własnego klucza (CSR)',
    el: 'Έκδοση για δικό σας κλειδί (CSR)',
  },
  idsIssue1: {
    en: 'Make a key and a request for it.',
    pl: 'Utwórz klucz i żądanie dla niego.',
    el: 'Φτιάξτε κλειδί και αίτημα για αυτό.',
  },
  idsIssue2: {
    en: 'Paste the request: the certificate comes back at once, for this organization.',
    pl: 'Wklej żądanie: certyfikat dla tej organizacji wróci od razu.',
    el: 'Επικολλήστε το αίτημα: το πιστοποιητικό έρχεται αμέσως, για αυτόν τον οργανισμό.',
  },
  idsCsr: { en: 'Certificate request', pl: 'Żądanie certyfikatu', el: 'Αίτημα πιστοποιητικού' },
  idsCsrHint: {
    en: 'PKCS #10 as PEM; its subject does not matter.',
    pl: 'PKCS #10 w PEM; podmiot nie ma znaczenia.',
    el: 'PKCS #10 σε PEM· το υποκείμενο δεν έχει σημασία.',
  },
  idsIssueNow: { en: 'Issue the certificate', pl: 'Wystaw certyfikat', el: 'Έκδοση πιστοποιητικού' },
  idsRenew: {
    en: 'Issue one with a new key, in the kit',
    pl: 'Wystaw z nowym kluczem, w zestawie',
    el: 'Έκδοση με νέο κλειδί, μέσα στο κιτ',
  },
  idsRenewNote: {
    en: 'The kit gets a new key with its certificate. Those before work until they end or you revoke them.',
    pl: 'Zestaw dostanie nowy klucz z certyfikatem. Dotychczasowe działają, aż wygasną lub je unieważnisz.',
    el: 'Το κιτ παίρνει νέο κλειδί με το πιστοποιητικό του. Τα προηγούμενα ισχύουν μέχρι να λήξουν ή να τα ανακαλέσετε.',
  },
  idsRenewNow: { en: 'Renew the kit', pl: 'Odnów zestaw', el: 'Ανανέωση του κιτ' },
  idsTrust: {
    en: 'Trust one of another authority',
    pl: 'Zaufaj certyfikatowi innego urzędu',
    el: 'Εμπιστοσύνη σε άλλης αρχής',
  },
  idsTrustHint: {
    en: 'A certificate as PEM, signed by anybody or by itself, valid now.',
    pl: 'Certyfikat w PEM, podpisany przez kogokolwiek lub przez siebie, ważny teraz.',
    el: 'Πιστοποιητικό σε PEM, υπογεγραμμένο από οποιονδήποτε ή από το ίδιο, σε ισχύ τώρα.',
  },
  idsTrustNow: { en: 'Trust the certificate', pl: 'Zaufaj certyfikatowi', el: 'Εμπιστοσύνη στο πιστοποιητικό' },
  idsRevoke: { en: 'Revoke', pl: 'Unieważnij', el: 'Ανάκληση' },
  idsRevokeWarning: {
    en: 'For ever: no call over it is answered any more, open connections included.',
    pl: 'Na zawsze: żadne wywołanie nim nie dostanie odpowiedzi, także na otwartych połączeniach.',
    el: 'Οριστικά: καμία κλήση με αυτό δεν απαντιέται πια, ούτε σε ανοιχτές συνδέσεις.',
  },
  idsRevokeNow: { en: 'Revoke it for ever', pl: 'Unieważnij na zawsze', el: 'Οριστική ανάκληση' },
  idsDownload: { en: 'Download the certificate', pl: 'Pobierz certyfikat', el: 'Λήψη πιστοποιητικού' },
  idsDownloadCa: { en: 'Download the authority', pl: 'Pobierz certyfikat urzędu', el: 'Λήψη της αρχής' },
  idsDownloadKit: { en: 'Download the kit', pl: 'Pobierz zestaw', el: 'Λήψη του κιτ' },
  idsBack: {
    en: 'All keys and certificates',
    pl: 'Wszystkie klucze i certyfikaty',
    el: 'Όλα τα κλειδιά και πιστοποιητικά',
  },

  stateValid: { en: 'valid', pl: 'ważny', el: 'σε ισχύ' },
  stateActive: { en: 'active', pl: 'czynny', el: 'ενεργό' },
  stateExpiring: { en: 'expires soon', pl: 'wkrótce wygasa', el: 'λήγει σύντομα' },
  stateExpired: { en: 'expired', pl: 'wygasł', el: 'έληξε' },
  stateRevoked: { en: 'revoked', pl: 'unieważniony', el: 'ανακλήθηκε' },
  stateDeregistered: { en: 'deregistered', pl: 'wyrejestrowany', el: 'καταργήθηκε' },

  doneKey: {
    en: 'The key is registered and signs from now on, beside the others.',
    pl: 'Klucz jest zarejestrowany i od teraz podpisuje obok pozostałych.',
    el: 'Το κλειδί καταχωρίστηκε και υπογράφει από τώρα, δίπλα στα άλλα.',
  },
  doneKeyEnded: {
    en: 'The key is deregistered: nothing that it signs is accepted any more.',
    pl: 'Klucz wyrejestrowano: nic, co podpisze, nie będzie przyjęte.',
    el: 'Το κλειδί καταργήθηκε: τίποτα που υπογράφει δεν γίνεται δεκτό.',
  },
  doneIssued: {
    en: 'The certificate is issued and trusted from now on.',
    pl: 'Certyfikat wystawiono; od teraz jest zaufany.',
    el: 'Το πιστοποιητικό εκδόθηκε και είναι έμπιστο από τώρα.',
  },
  doneTrusted: {
    en: 'The certificate is trusted from now on.',
    pl: 'Certyfikat jest od teraz zaufany.',
    el: 'Το πιστοποιητικό είναι έμπιστο από τώρα.',
  },
  doneRevoked: {
    en: 'The certificate is revoked.',
    pl: 'Certyfikat unieważniono.',
    el: 'Το πιστοποιητικό ανακλήθηκε.',
  },
  doneKit: {
    en: 'The kit has a new key and certificate: download it now.',
    pl: 'Zestaw ma nowy klucz i certyfikat: pobierz go teraz.',
    el: 'Το κιτ έχει νέο κλειδί και πιστοποιητικό: κατεβάστε το τώρα.',
  },
} as const satisfies Record<string, Sentence>
