import type { Translated } from '../lab/translated.ts'

/** What happens in a drill and what the shopper does, in the languages beside English: the English stands in its file. */
export type DrillWords = { title: Translated; ask: Translated }

const PAY: Translated = { pl: 'Zapłać BLIKIEM i zatwierdź.', el: 'Πληρώστε με BLIK και εγκρίνετε.' }

/** The drills by their names. */
export const DRILL_WORDS: Readonly<Record<string, DrillWords>> = {
  PLAIN_PAYMENT: { title: { pl: 'Nic się nie psuje.', el: 'Τίποτα δεν πάει στραβά.' }, ask: PAY },
  THREE_SHOPPERS: {
    title: { pl: 'Nic się nie psuje, trzy razy.', el: 'Τίποτα δεν πάει στραβά, τρεις φορές.' },
    ask: PAY,
  },
  LOST_INITIATE: {
    title: {
      pl: 'Płatność się zaczyna, a połączenie zrywa się przed odpowiedzią.',
      el: 'Μια πληρωμή αρχίζει και η σύνδεση κόβεται πριν από την απάντηση.',
    },
    ask: PAY,
  },
  NEVER_ARRIVED: {
    title: {
      pl: 'Odpowiedzią jest 504, a żadna płatność się nie zaczęła.',
      el: 'Απαντάται 504 και καμία πληρωμή δεν άρχισε.',
    },
    ask: PAY,
  },
  INITIATE_TIMEOUT: {
    title: { pl: 'Płatność się zaczyna, a odpowiedzią jest 504.', el: 'Μια πληρωμή αρχίζει και απαντάται 504.' },
    ask: PAY,
  },
  FINALIZE_TIMEOUT: {
    title: {
      pl: 'Płatność zostaje sfinalizowana, a odpowiedzią jest 504.',
      el: 'Μια πληρωμή οριστικοποιείται και απαντάται 504.',
    },
    ask: PAY,
  },
  PROVIDER_DOWN: {
    title: {
      pl: 'Dostawca zawodzi dwa razy, potem wraca.',
      el: 'Ο πάροχος αποτυγχάνει δύο φορές και μετά συνέρχεται.',
    },
    ask: PAY,
  },
  PAYMENT_LOCKED: {
    title: { pl: 'Płatność jest zablokowana przez dwa wywołania.', el: 'Η πληρωμή είναι κλειδωμένη για δύο κλήσεις.' },
    ask: PAY,
  },
  TOO_MANY_CALLS: {
    title: {
      pl: 'Następne wywołanie to o jedno za dużo; Retry-After mówi, kiedy wrócić.',
      el: 'Η επόμενη κλήση είναι μία παραπάνω· το Retry-After λέει πότε να γυρίσετε.',
    },
    ask: PAY,
  },
  DECLINED: {
    title: { pl: 'Bank odmawia.', el: 'Η τράπεζα λέει όχι.' },
    ask: {
      pl: 'Zapłać BLIKIEM i zatwierdź; sprawdź, że sklep to mówi i proponuje kolejną próbę.',
      el: 'Πληρώστε με BLIK και εγκρίνετε· δείτε ότι το κατάστημα το λέει και προτείνει άλλη προσπάθεια.',
    },
  },
  TAMPERED_ANSWER: {
    title: {
      pl: 'Ktoś po drodze wkłada do odpowiedzi inną płatność.',
      el: 'Κάποιος στον δρόμο βάζει άλλη πληρωμή στην απάντηση.',
    },
    ask: PAY,
  },
  TOKEN_ENDED: {
    title: { pl: 'Token kończy się między dwiema płatnościami.', el: 'Το token λήγει ανάμεσα σε δύο πληρωμές.' },
    ask: PAY,
  },
  KEY_ROTATION: {
    title: {
      pl: 'Po pierwszej płatności w zestawie są nowe klucze podpisu; stare kończą się za tydzień.',
      el: 'Μετά την πρώτη πληρωμή το κιτ έχει νέα κλειδιά υπογραφής· τα παλιά λήγουν σε μία εβδομάδα.',
    },
    ask: {
      pl: 'Zapłać BLIKIEM i zatwierdź; po pierwszym razie niech sklep przejmie nowy klucz.',
      el: 'Πληρώστε με BLIK και εγκρίνετε· μετά την πρώτη φορά αφήστε το κατάστημα να πάρει νέο κλειδί.',
    },
  },
  SHOPPER_GONE: {
    title: {
      pl: 'Kupujący potwierdza w banku i nie wraca.',
      el: 'Ο αγοραστής επιβεβαιώνει στην τράπεζα και δεν γυρίζει ποτέ.',
    },
    ask: {
      pl: 'Zapłać przez IRIS, potwierdź i zamknij okno.',
      el: 'Πληρώστε με IRIS, επιβεβαιώστε και κλείστε το παράθυρο.',
    },
  },
  WEEK_LATER: { title: { pl: 'Po płatności mija osiem dni.', el: 'Μετά την πληρωμή περνούν οκτώ μέρες.' }, ask: PAY },
  WEBHOOK_TWICE: {
    title: { pl: 'Każdy webhook przychodzi dwa razy.', el: 'Κάθε webhook έρχεται δύο φορές.' },
    ask: PAY,
  },
  WEBHOOK_FORGED: {
    title: {
      pl: 'Webhook jest podpisany kluczem, który nie należy do usługi.',
      el: 'Ένα webhook είναι υπογεγραμμένο με κλειδί που δεν είναι της υπηρεσίας.',
    },
    ask: PAY,
  },
  WEBHOOK_STALE: {
    title: {
      pl: 'Webhook ma znacznik czasu sprzed kwadransa.',
      el: 'Ένα webhook φέρει χρονοσήμανση ενός τετάρτου πριν.',
    },
    ask: PAY,
  },
  WEBHOOK_OF_TOMORROW: {
    title: {
      pl: 'Webhooki mają pole, a jeden rodzaj, których nikt jeszcze nie zna.',
      el: 'Τα webhooks έχουν πεδίο, και ένα έχει είδος, που κανείς δεν ξέρει ακόμη.',
    },
    ask: PAY,
  },
  WEBHOOK_BEFORE_ANSWER: {
    title: {
      pl: 'Webhook jest przed odpowiedzią na wywołanie.',
      el: 'Το webhook φτάνει πριν από την απάντηση της κλήσης.',
    },
    ask: PAY,
  },
  WEBHOOK_BEFORE_RETURN: {
    title: { pl: 'Webhook jest, zanim kupujący wróci.', el: 'Το webhook φτάνει πριν γυρίσει ο αγοραστής.' },
    ask: { pl: 'Zapłać przez IRIS i potwierdź.', el: 'Πληρώστε με IRIS και επιβεβαιώστε.' },
  },
  WEBHOOK_OUT_OF_ORDER: {
    title: { pl: 'Webhooki wyprzedzają się nawzajem.', el: 'Τα webhooks προσπερνούν το ένα το άλλο.' },
    ask: PAY,
  },
}
