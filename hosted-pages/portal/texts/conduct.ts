import type { Sentence } from '../../texts/sentence.ts'

/** How a merchant's integration is graded, and the drills. */
export const PORTAL_CONDUCT = {
  conductLead: {
    en: 'What your integration does, judged by the rules for merchants: every call that it made, and every webhook that it was sent.',
    pl: 'Co robi Twoja integracja, oceniane według zasad dla sklepów: każde jej wywołanie i każdy wysłany do niej webhook.',
    el: 'Τι κάνει η ενσωμάτωσή σας, με τους κανόνες για εμπόρους: κάθε κλήση που έκανε και κάθε webhook που της στάλθηκε.',
  },
  conductCounts: {
    en: '{pass} kept, {fail} broken, {idle} not exercised',
    pl: 'zachowane: {pass}, złamane: {fail}, niesprawdzone: {idle}',
    el: 'τηρούνται: {pass}, παραβιάζονται: {fail}, χωρίς ευκαιρία: {idle}',
  },
  conductRules: { en: 'Rules', pl: 'Zasady', el: 'Κανόνες' },
  conductRule: { en: 'Rule', pl: 'Zasada', el: 'Κανόνας' },
  conductWhy: { en: 'What it says, and why', pl: 'Co mówi i dlaczego', el: 'Τι λέει και γιατί' },
  conductVerdict: { en: 'Verdict', pl: 'Ocena', el: 'Κρίση' },
  conductPass: { en: 'kept', pl: 'zachowana', el: 'τηρείται' },
  conductFail: { en: 'broken', pl: 'złamana', el: 'παραβιάζεται' },
  conductIdle: { en: 'not exercised', pl: 'niesprawdzona', el: 'χωρίς ευκαιρία' },
  conductCall: { en: 'call', pl: 'wywołanie', el: 'κλήση' },
  conductDelivery: { en: 'delivery', pl: 'doręczenie', el: 'παράδοση' },
  conductPayment: { en: 'payment', pl: 'płatność', el: 'πληρωμή' },
  conductKept: { en: 'Seen:', pl: 'Dowód:', el: 'Απόδειξη:' },
  checkoutRules: { en: 'Your checkout page', pl: 'Twoja strona płatności', el: 'Η σελίδα πληρωμής σας' },
  checkoutLead: {
    en: 'What no call shows is judged in a browser: lintCheckout in your Playwright tests looks for this.',
    pl: 'Czego nie widać w wywołaniach, ocenia się w przeglądarce: lintCheckout w Twoich testach Playwright sprawdza to.',
    el: 'Ό,τι δεν φαίνεται σε κλήσεις κρίνεται σε φυλλομετρητή: το lintCheckout στις δοκιμές Playwright κοιτάζει αυτά.',
  },
  drills: { en: 'Drills', pl: 'Ćwiczenia', el: 'Ασκήσεις' },
  drillsLead: {
    en: 'Each makes one thing go wrong. Begin one, pay in your shop as it says, then end it. Faults that were armed before are disarmed.',
    pl: 'Każde psuje jedną rzecz. Rozpocznij, zapłać w swoim sklepie tak, jak mówi, i zakończ. Wcześniej ustawione błędy zostaną zdjęte.',
    el: 'Καθεμία χαλάει ένα πράγμα. Ξεκινήστε, πληρώστε στο κατάστημά σας όπως λέει και τελειώστε. Όσα σφάλματα είχαν οριστεί πριν αφαιρούνται.',
  },
  drillName: { en: 'Drill', pl: 'Ćwiczenie', el: 'Άσκηση' },
  drillStory: { en: 'What happens', pl: 'Co się dzieje', el: 'Τι συμβαίνει' },
  drillJudges: { en: 'Judges', pl: 'Ocenia', el: 'Κρίνει' },
  drillAct: { en: 'Go', pl: 'Start', el: 'Έναρξη' },
  drillBegin: { en: 'Begin', pl: 'Rozpocznij', el: 'Έναρξη' },
  drillUnderWay: { en: 'Under way: {name}', pl: 'Trwa: {name}', el: 'Σε εξέλιξη: {name}' },
  drillRuns: {
    en: 'Run {run} of {runs}: pay once in each.',
    pl: 'Przebieg {run} z {runs}: w każdym zapłać raz.',
    el: 'Γύρος {run} από {runs}: πληρώστε μία φορά σε καθέναν.',
  },
  drillNewKey: {
    en: 'New signing keys are in the kit:',
    pl: 'Nowe klucze podpisu są w zestawie:',
    el: 'Τα νέα κλειδιά υπογραφής είναι στο κιτ:',
  },
  drillKit: { en: 'download it', pl: 'pobierz go', el: 'κατεβάστε το' },
  drillBetween: { en: 'On to the next run', pl: 'Do następnego przebiegu', el: 'Στον επόμενο γύρο' },
  drillEnd: { en: 'End and judge', pl: 'Zakończ i oceń', el: 'Τέλος και κρίση' },
  drillEndNote: {
    en: 'Ending moves the clock forward, so that what is on its way arrives; a shop that still owes something is given ten seconds.',
    pl: 'Zakończenie przesuwa zegar naprzód, żeby dotarło to, co jest w drodze; sklep, który ma jeszcze coś zrobić, dostaje dziesięć sekund.',
    el: 'Το τέλος μετακινεί το ρολόι μπροστά, ώστε να φτάσει ό,τι είναι στον δρόμο· σε κατάστημα που οφείλει ακόμη κάτι δίνονται δέκα δευτερόλεπτα.',
  },
  drillJudged: { en: '{name}: what came of it', pl: '{name}: wynik', el: '{name}: το αποτέλεσμα' },
} as const satisfies Record<string, Sentence>
