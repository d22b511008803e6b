import type { Sentence } from '../../texts/sentence.ts'

/** The frame of the portal and what its pages have in common. */
export const PORTAL_FRAME = {
  portal: { en: 'Portal', pl: 'Portal', el: 'Πύλη' },
  portalNote: {
    en: 'organizations, keys, webhooks, journal and clock, to look at and to change',
    pl: 'organizacje, klucze, webhooki, dziennik i zegar, do podglądu i zmian',
    el: 'οργανισμοί, κλειδιά, webhooks, ημερολόγιο και ρολόι, για προβολή και αλλαγές',
  },
  navigation: { en: 'Portal', pl: 'Portal', el: 'Πύλη' },
  skipToMain: { en: 'Skip to the content', pl: 'Przejdź do treści', el: 'Μετάβαση στο περιεχόμενο' },
  navOrganizations: { en: 'Organizations', pl: 'Organizacje', el: 'Οργανισμοί' },
  navOverview: { en: 'Overview', pl: 'Przegląd', el: 'Επισκόπηση' },
  navJournal: { en: 'Journal', pl: 'Dziennik', el: 'Ημερολόγιο' },
  navPayments: { en: 'Payments', pl: 'Płatności', el: 'Πληρωμές' },
  navScenarios: { en: 'Scenarios', pl: 'Scenariusze', el: 'Σενάρια' },
  navConduct: { en: 'Conduct', pl: 'Postępowanie', el: 'Συμπεριφορά' },
  navClock: { en: 'Clock', pl: 'Zegar', el: 'Ρολόι' },
  navWebhooks: { en: 'Webhooks', pl: 'Webhooki', el: 'Webhooks' },
  navIdentities: { en: 'Keys & certificates', pl: 'Klucze i certyfikaty', el: 'Κλειδιά & πιστοποιητικά' },
  navReports: { en: 'Reports', pl: 'Raporty', el: 'Αναφορές' },
  navCapabilities: { en: 'Capabilities', pl: 'Możliwości', el: 'Δυνατότητες' },
  navLab: { en: 'Signature lab', pl: 'Laboratorium podpisów', el: 'Εργαστήριο υπογραφών' },
  byHand: { en: 'The same from a terminal', pl: 'To samo z terminala', el: 'Το ίδιο από τερματικό' },
} as const satisfies Record<string, Sentence>
