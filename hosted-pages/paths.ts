const part = encodeURIComponent

/** Every address that a page links to, posts to or asks. */
export const paths = {
  strangers: '/control/journal',
  kit: (organizationId: string) => `/control/organizations/${part(organizationId)}/kit`,
  journal: (organizationId: string) => `/control/organizations/${part(organizationId)}/journal`,
  phone: (organizationId: string) => `/blik/${part(organizationId)}`,
  codes: (organizationId: string) => `/blik/${part(organizationId)}/codes`,
  code: (organizationId: string, codeId: string) => `/blik/${part(organizationId)}/codes/${part(codeId)}`,
  redirect: (redirectId: string) => `/iris/${part(redirectId)}`,
  bank: (redirectId: string, bankId: string) => `/iris/${part(redirectId)}/banks/${part(bankId)}`,
}
