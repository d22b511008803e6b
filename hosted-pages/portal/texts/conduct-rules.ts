import type { Translated } from '../lab/translated.ts'

/** What a rule says and why, in the languages beside English: the English comes with the rule. */
export type RuleWords = { title: Translated; why: Translated }

/** The rules of conduct by their ids. */
export const CONDUCT_RULE_WORDS: Readonly<Record<string, RuleWords>> = {
  'CND-01': {
    title: {
      pl: 'po utraconej lub niepewnej odpowiedzi wysyła się ten sam klucz albo poznaje stan, zanim użyje się nowego klucza',
      el: 'μετά από χαμένη ή αβέβαιη απάντηση στέλνεται το ίδιο κλειδί ή μαθαίνεται η κατάσταση, πριν από κάθε νέο κλειδί',
    },
    why: {
      pl: 'Nowy klucz to nowa operacja: kupujący może zapłacić dwa razy.',
      el: 'Νέο κλειδί σημαίνει νέα πράξη: ο αγοραστής μπορεί να πληρώσει δύο φορές.',
    },
  },
  'CND-02': {
    title: {
      pl: 'tego, co odrzucono ostatecznie, nie wysyła się ponownie bez zmian',
      el: 'ό,τι απορρίφθηκε οριστικά δεν στέλνεται ξανά όπως ήταν',
    },
    why: {
      pl: 'Powtarzanie nie zmieni odmowy, a schematy liczą takie próby.',
      el: 'Η επανάληψη δεν αλλάζει μια απόρριψη, και τα σχήματα μετρούν τέτοιες προσπάθειες.',
    },
  },
  'CND-03': {
    title: { pl: 'czeka się tyle, ile mówi Retry-After', el: 'τηρείται η αναμονή που ζητά το Retry-After' },
    why: {
      pl: 'Kto wraca za wcześnie, zostaje odesłany znowu i czeka dłużej.',
      el: 'Όποιος γυρίζει νωρίς διώχνεται πάλι και περιμένει περισσότερο.',
    },
  },
  'CND-04': {
    title: {
      pl: 'ponowienia czekają coraz dłużej, a 423 ponawia się najwyżej dwa razy',
      el: 'οι επαναλήψεις περιμένουν όλο και περισσότερο, και το 423 επαναλαμβάνεται το πολύ δύο φορές',
    },
    why: {
      pl: 'Wielu klientów pukających w jednym rytmie nie daje wstać temu, co próbuje wstać.',
      el: 'Πολλοί πελάτες που χτυπούν με τον ίδιο ρυθμό δεν αφήνουν να σηκωθεί ό,τι προσπαθεί.',
    },
  },
  'CND-05': {
    title: { pl: 'klucz należy do jednej operacji', el: 'ένα κλειδί ανήκει σε μία πράξη' },
    why: {
      pl: 'Inna operacja z użytym kluczem zostanie odrzucona albo wzięta za pierwszą.',
      el: 'Άλλη πράξη με χρησιμοποιημένο κλειδί απορρίπτεται ή περνά για την πρώτη.',
    },
  },
  'CND-06': {
    title: { pl: 'jeden token służy wielu wywołaniom', el: 'ένα token εξυπηρετεί πολλές κλήσεις' },
    why: {
      pl: 'Token do każdego wywołania podwaja ruch i pierwszy trafia na limit.',
      el: 'Ένα token για κάθε κλήση διπλασιάζει την κίνηση και φτάνει πρώτο στο όριο.',
    },
  },
  'CND-07': {
    title: {
      pl: 'token odnawia się przed jego końcem albo od razu, gdy zostanie odrzucony jako wygasły',
      el: 'το token ανανεώνεται πριν λήξει ή αμέσως μόλις απορριφθεί ως ληγμένο',
    },
    why: {
      pl: 'Inaczej sklep przestaje przyjmować płatności dwie godziny po uruchomieniu.',
      el: 'Αλλιώς το κατάστημα παύει να πληρώνεται δύο ώρες μετά την εκκίνηση.',
    },
  },
  'CND-08': {
    title: {
      pl: 'o płatności nie odpytuje się w kółko: mówią webhooki',
      el: 'οι πληρωμές δεν ρωτιούνται συνεχώς: μιλούν τα webhooks',
    },
    why: {
      pl: 'Odpytywanie spóźnia się, zużywa wywołania i trafia na limit w najgorszym dniu.',
      el: 'Οι συνεχείς ερωτήσεις αργούν, κοστίζουν κλήσεις και φτάνουν στο όριο την πιο φορτωμένη μέρα.',
    },
  },
  'CND-09': {
    title: {
      pl: 'odpowiedź, której podpis się nie zgadza, nie pociąga za sobą działania',
      el: 'μια απάντηση με λάθος υπογραφή δεν οδηγεί σε καμία ενέργεια',
    },
    why: {
      pl: 'Kto może zmienić odpowiedź, mógłby wyłudzić towar za nic.',
      el: 'Όποιος μπορεί να αλλάξει μια απάντηση θα έπαιρνε εμπόρευμα για το τίποτα.',
    },
  },
  'CND-10': {
    title: {
      pl: 'pola i rodzaje zdarzeń, których nikt jeszcze nie zna, przyjmuje się bez skargi',
      el: 'πεδία και είδη συμβάντων που κανείς δεν ξέρει ακόμη γίνονται δεκτά χωρίς παράπονο',
    },
    why: {
      pl: 'Wersja podrzędna może dodać jedno i drugie; kto się o nie potknie, leży w dniu wydania.',
      el: 'Μια ελάσσων έκδοση μπορεί να προσθέσει και τα δύο· όποιος σκοντάφτει πέφτει τη μέρα της έκδοσης.',
    },
  },
  'CND-11': {
    title: {
      pl: 'webhook podpisany złym kluczem zostaje odrzucony',
      el: 'webhook υπογεγραμμένο με λάθος κλειδί απορρίπτεται',
    },
    why: {
      pl: 'Każdy może zawołać pod publicznym adresem, że zamówienie jest opłacone.',
      el: 'Ο καθένας μπορεί να καλέσει μια δημόσια διεύθυνση και να πει ότι η παραγγελία πληρώθηκε.',
    },
  },
  'CND-12': {
    title: {
      pl: 'webhook ze starym znacznikiem czasu zostaje odrzucony',
      el: 'webhook με παλιά χρονοσήμανση απορρίπτεται',
    },
    why: {
      pl: 'Co raz nagrano, można odtwarzać bez końca.',
      el: 'Ό,τι καταγράφηκε μία φορά μπορεί να ξαναπαίζεται για πάντα.',
    },
  },
  'CND-13': {
    title: { pl: 'webhooki potwierdza się na czas odpowiedzią 2xx', el: 'τα webhooks επιβεβαιώνονται εγκαίρως με 2xx' },
    why: {
      pl: 'Niepotwierdzone przychodzi znowu, coraz później, a potem wcale.',
      el: 'Ό,τι δεν επιβεβαιώνεται ξανάρχεται όλο και πιο αργά, και μετά καθόλου.',
    },
  },
  'CND-14': {
    title: {
      pl: 'to samo powiadomienie dwa razy ma jeden skutek',
      el: 'η ίδια ειδοποίηση δύο φορές έχει ένα αποτέλεσμα',
    },
    why: {
      pl: 'Doręczenia się powtarzają: towar nie może, zwroty też nie.',
      el: 'Οι παραδόσεις επαναλαμβάνονται· τα εμπορεύματα και οι επιστροφές δεν πρέπει.',
    },
  },
  'CND-15': {
    title: {
      pl: 'webhook, który przychodzi przed odpowiedzią na wywołanie, zostaje zrozumiany',
      el: 'webhook που φτάνει πριν από την απάντηση της κλήσης γίνεται κατανοητό',
    },
    why: {
      pl: 'Sieci nie pilnują kolejności: wiadomość może być, zanim zapisze się identyfikator.',
      el: 'Τα δίκτυα δεν κρατούν σειρά: το νέο μπορεί να φτάσει πριν αποθηκευτεί το αναγνωριστικό.',
    },
  },
  'CND-16': {
    title: {
      pl: 'webhook, który przychodzi przed powrotem kupującego, zostaje zrozumiany',
      el: 'webhook που φτάνει πριν γυρίσει ο αγοραστής γίνεται κατανοητό',
    },
    why: {
      pl: 'Zamówienie może być opłacone, zanim kupujący wróci.',
      el: 'Η παραγγελία μπορεί να έχει πληρωθεί πριν γυρίσει ο αγοραστής.',
    },
  },
  'CND-17': {
    title: { pl: 'webhooki w złej kolejności nie szkodzą', el: 'webhooks εκτός σειράς δεν κάνουν κακό' },
    why: {
      pl: 'Starszy stan nie może zastąpić nowszego.',
      el: 'Μια παλιότερη κατάσταση δεν πρέπει να σβήνει μια νεότερη.',
    },
  },
  'CND-18': {
    title: {
      pl: 'płatność, której kupujący nie wrócił, i tak zostaje dokończona',
      el: 'πληρωμή της οποίας ο αγοραστής δεν γύρισε ολοκληρώνεται παρ’ όλα αυτά',
    },
    why: {
      pl: 'Po zapłaceniu przeglądarki się zamyka, a baterie padają.',
      el: 'Μετά την πληρωμή τα παράθυρα κλείνουν και οι μπαταρίες τελειώνουν.',
    },
  },
  'CND-19': {
    title: {
      pl: 'nowego klucza podpisu używa się, póki stary jeszcze obowiązuje',
      el: 'το νέο κλειδί υπογραφής χρησιμοποιείται όσο ισχύει ακόμη το παλιό',
    },
    why: {
      pl: 'Kto zmienia klucz dopiero po końcu starego, ma w międzyczasie przestój.',
      el: 'Όποιος αλλάζει κλειδί μόνο αφού λήξει το παλιό έχει στο μεταξύ διακοπή.',
    },
  },
  'CND-20': {
    title: {
      pl: 'finalize wywołuje się, gdy kupujący się zgodził',
      el: 'το finalize καλείται μόλις συμφωνήσει ο αγοραστής',
    },
    why: {
      pl: 'Bez tego pieniądze się nie ruszą, a kupujący myśli, że zapłacił.',
      el: 'Χωρίς αυτό κανένα χρήμα δεν κινείται, και ο αγοραστής νομίζει ότι πλήρωσε.',
    },
  },
  'CND-21': {
    title: {
      pl: 'autoryzowane pieniądze pobiera się lub zwalnia przed końcem autoryzacji',
      el: 'τα εγκεκριμένα χρήματα εισπράττονται ή αποδεσμεύονται πριν λήξει η έγκριση',
    },
    why: {
      pl: 'Inaczej pieniądze kupującego są przez wiele dni zablokowane na nic.',
      el: 'Αλλιώς τα χρήματα του αγοραστή δεσμεύονται μέρες για το τίποτα.',
    },
  },
  'CND-22': {
    title: { pl: 'w description i metadata nie ma sekretów', el: 'στα description και metadata δεν υπάρχει μυστικό' },
    why: {
      pl: 'Jedno i drugie widzą kupujący, trafia do raportów i zostaje na lata.',
      el: 'Και τα δύο φαίνονται στους αγοραστές, τυπώνονται σε αναφορές και φυλάσσονται χρόνια.',
    },
  },
}
