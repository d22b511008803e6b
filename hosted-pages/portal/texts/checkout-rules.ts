import type { RuleWords } from './conduct-rules.ts'

/** What shoppers expect of a BLIK checkout, by the ids of the findings. */
export const CHECKOUT_RULE_WORDS: Readonly<Record<string, RuleWords>> = {
  'BCL-01': {
    title: {
      pl: 'pole prosi o cyfry, a etykieta mówi, o jakie',
      el: 'το πεδίο ζητά ψηφία και η ετικέτα του λέει ποια',
    },
    why: {
      pl: 'Telefon pokazuje klawisze, o które prosi pole; bez etykiety nikt nie usłyszy, do czego ono jest.',
      el: 'Το τηλέφωνο δείχνει τα πλήκτρα που ζητά το πεδίο· χωρίς ετικέτα κανείς δεν ακούει τι είναι.',
    },
  },
  'BCL-02': {
    title: { pl: 'sześć cyfr widać jako trzy i trzy', el: 'έξι ψηφία φαίνονται ως τρία και τρία' },
    why: {
      pl: 'Tak pokazują kod aplikacje banków; co wygląda tak samo, przepisuje się bez błędów.',
      el: 'Έτσι δείχνουν τον κωδικό οι εφαρμογές των τραπεζών· ό,τι μοιάζει γράφεται χωρίς λάθη.',
    },
  },
  'BCL-03': {
    title: { pl: 'siódmej cyfry i liter pole nie przyjmuje', el: 'έβδομο ψηφίο και γράμματα δεν γίνονται δεκτά' },
    why: {
      pl: 'Co nie może być kodem, powinno być widać, zanim sklep zapyta bank.',
      el: 'Ό,τι δεν μπορεί να είναι κωδικός πρέπει να φαίνεται πριν ρωτηθεί η τράπεζα.',
    },
  },
  'BCL-04': {
    title: { pl: 'przycisk działa raz', el: 'το κουμπί λειτουργεί μία φορά' },
    why: {
      pl: 'Drugie naciśnięcie to druga płatność, a co najmniej drugie wywołanie.',
      el: 'Δεύτερο πάτημα είναι δεύτερη πληρωμή, ή τουλάχιστον δεύτερη κλήση.',
    },
  },
  'BCL-05': {
    title: {
      pl: 'po wpisaniu kodu kupujący dowiaduje się, że ma potwierdzić w aplikacji banku',
      el: 'μετά τον κωδικό ο αγοραστής μαθαίνει ότι πρέπει να επιβεβαιώσει στην εφαρμογή της τράπεζας',
    },
    why: {
      pl: 'Kupujący ma 45 sekund, i to na innym ekranie.',
      el: 'Ο αγοραστής έχει 45 δευτερόλεπτα, σε άλλη οθόνη από αυτήν.',
    },
  },
  'BCL-06': {
    title: {
      pl: 'odrzucony kod jest wyjaśniony i można wpisać go ponownie',
      el: 'ένας κωδικός που απορρίφθηκε εξηγείται και μπορεί να γραφτεί ξανά',
    },
    why: {
      pl: 'Kody wpisuje się z błędem i wygasają: to nie powód, żeby stracić zamówienie.',
      el: 'Οι κωδικοί γράφονται λάθος και λήγουν: δεν είναι λόγος να χαθεί η παραγγελία.',
    },
  },
}
