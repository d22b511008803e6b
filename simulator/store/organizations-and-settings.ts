import type { OrganizationStore } from './organization-store.ts'
import { toOrganization } from './row-mapping.ts'
import { createSqlTags, type Db } from './sql-statements.ts'
import type { Store } from './store.ts'

type OrganizationAndSettingMethods = Pick<
  OrganizationStore,
  'organizations' | 'organization' | 'setKit' | 'setDialect'
> &
  Pick<Store, 'setting' | 'saveSetting' | 'addSetting'>

/** Creates the store of organizations, in order of creation, and of settings, over SQLite or PostgreSQL. */
export const createOrganizationAndSettingStore = (db: Db): OrganizationAndSettingMethods => {
  const { list, find, run } = createSqlTags(db)
  const setting = (name: string) => find(toValue)`SELECT value FROM settings WHERE name = ${name}`
  return {
    organizations: () => list(toOrganization)`SELECT * FROM organizations ORDER BY position`,
    organization: organizationId =>
      find(toOrganization)`SELECT * FROM organizations WHERE organization_id = ${organizationId}`,
    setKit: (organizationId, kit) =>
      run`UPDATE organizations SET kit = ${kit} WHERE organization_id = ${organizationId}`,
    setDialect: (organizationId, dialect) =>
      run`UPDATE organizations SET dialect = ${dialect ?? null} WHERE organization_id = ${organizationId}`,
    setting,
    saveSetting: (name, value) => run`
      INSERT INTO settings (name, value) VALUES (${name}, ${value}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    addSetting: async (name, value) => {
      await run`INSERT INTO settings (name, value) VALUES (${name}, ${value}) ON CONFLICT (name) DO NOTHING`
      return (await setting(name)) ?? value
    },
  }
}

const toValue = ({ value }: { value: string }): string => value
