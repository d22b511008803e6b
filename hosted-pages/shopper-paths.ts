const part = encodeURIComponent

/** Functions that build the paths of the landing page, of the shopper's pages and of what they link to. */
export const paths = {
  landing: '/',
  /** Where the switch of theme and language sends its forms. */
  appearance: '/appearance',
  portal: '/portal',
  unknownCallers: '/portal/journal',
  /** The machine-readable references of the API and of control. */
  apiReference: '/openapi.yaml',
  controlReference: '/control/openapi.yaml',
  overview: (organizationId: string) => `/portal/organizations/${part(organizationId)}`,
  kit: (organizationId: string) => `/control/organizations/${part(organizationId)}/kit`,
  journal: (organizationId: string) => `/control/organizations/${part(organizationId)}/journal`,
  /** The choice of a phone; of its organization first, where there are several. */
  anyPhone: '/blik',
  /** The demo shop of an organization, for who may act as it. */
  shop: (organizationId: string) => `/shop/${part(organizationId)}`,
  blik: (organizationId: string) => `/blik/${part(organizationId)}`,
  phone: (organizationId: string, phoneId: string) => `/blik/${part(organizationId)}/phones/${part(phoneId)}`,
  redirect: (redirectId: string) => `/iris/${part(redirectId)}`,
  bank: (redirectId: string, bankId: string) => `/iris/${part(redirectId)}/banks/${part(bankId)}`,
  accounts: (redirectId: string, bankId: string, user?: string) =>
    `/iris/${part(redirectId)}/banks/${part(bankId)}/accounts${user === undefined ? '' : `?user=${part(user)}`}`,
  account: (redirectId: string, bankId: string, accountId: string, user: string) =>
    `/iris/${part(redirectId)}/banks/${part(bankId)}/accounts/${part(accountId)}?user=${part(user)}`,
}
