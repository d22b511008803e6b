import { type Config, OPTIONS, type OptionName, toConfigName } from '../options/options.ts'
import type { Store } from '../store/store.ts'

// biome-ignore format: one line reads best
/** Options that belong to one replica, that name a file of its machine, or that are secret. */
const OF_ONE: readonly OptionName[] = ['data-dir', 'store', 'store-connections', 'host', 'api-port', 'pages-port', 'plain-port', 'control-token', 'metrics-token', 'webhook-ca', 'scenarios', 'init', 'dialect', 'accept-loss', 'metrics', 'log', 'log-level', 'journal-size']
const SHARED = (Object.keys(OPTIONS) as OptionName[]).filter(name => !OF_ONE.includes(name))
const SETTING = 'options-of-last-start'

/**
 * Compares the options of this replica with those of the one that started last, and saves them: returns a note where they
 * differ, as a merchant would meet the one or the other.
 */
export const compareOptionsOfReplicas = async (
  store: Pick<Store, 'replicas' | 'setting' | 'saveSetting'>,
  config: Config,
): Promise<string[]> => {
  if (!store.replicas) return []
  const given = (name: OptionName): unknown => config[toConfigName(name) as keyof Config]
  const own = Object.fromEntries(SHARED.map(name => [name, JSON.stringify(given(name)) ?? '']))
  const last = JSON.parse((await store.setting(SETTING)) ?? '{}') as Partial<Record<OptionName, string>>
  await store.saveSetting(SETTING, JSON.stringify(own))
  const other = SHARED.filter(name => last[name] !== undefined && last[name] !== own[name]).map(name => `--${name}`)
  if (other.length === 0) return []
  const names = new Intl.ListFormat('en').format(other)
  return [`The replica that started last had other values of ${names}: give all replicas of this sandbox the same.`]
}
