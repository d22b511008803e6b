const part = encodeURIComponent

const root = '/portal'
const organizations = `${root}/organizations`
const overview = (organizationId: string) => `${organizations}/${part(organizationId)}`
const page = (name: string) => (organizationId: string) => `${overview(organizationId)}/${name}`
const item = (name: string) => (organizationId: string, id: string) => `${overview(organizationId)}/${name}/${part(id)}`

/** Functions that build the paths of the portal's pages. */
export const portalPaths = {
  root,
  organizations,
  /** The journal of callers who belong to no organization. */
  unknownCallers: `${root}/journal`,
  /** The stream of changes of an organization, and that of callers who belong to none. */
  stream: page('stream'),
  streamOfUnknownCallers: `${root}/stream`,
  signIn: `${root}/sign-in`,
  signOut: `${root}/sign-out`,
  overview,
  search: page('search'),
  /** The search in every organization. */
  searchEverywhere: `${root}/search`,
  journal: page('journal'),
  payments: page('payments'),
  payment: item('payments'),
  call: item('journal'),
  scenarios: page('scenarios'),
  conduct: page('conduct'),
  clock: page('clock'),
  webhooks: page('webhooks'),
  endpoint: item('webhooks'),
  delivery: item('deliveries'),
  inbox: page('inbox'),
  lab: page('lab'),
  identities: page('identities'),
  keys: page('keys'),
  key: item('keys'),
  tokens: page('tokens'),
  controlTokens: page('control-tokens'),
  controlToken: item('control-tokens'),
  certificates: page('certificates'),
  certificate: item('certificates'),
  kit: page('kit'),
  reports: page('reports'),
  capabilities: page('capabilities'),
  dialect: page('dialect'),
}
