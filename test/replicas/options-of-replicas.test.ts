import { expect, test } from 'vitest'
import { readConfig } from '../../simulator/options/read-config.ts'
import { compareOptionsOfReplicas } from '../../simulator/startup/compare-options-of-replicas.ts'

/** Starts one replica after the other over the same database, each by its flags; returns the notes of each. */
const notesOf = async (starts: readonly string[][], replicas: object | undefined) => {
  const settings = new Map<string, string>()
  const store = {
    replicas,
    setting: async (name: string) => settings.get(name),
    saveSetting: async (name: string, value: string) => void settings.set(name, value),
  }
  const notes = []
  for (const flags of starts) notes.push(await compareOptionsOfReplicas(store as never, readConfig(flags, {})))
  return { notes, saved: [...settings.values()].join() }
}

test('a replica with other options than the last one says which, once', async () => {
  const one = ['--rate-limit', '25', '--unknown-members', 'ignore']
  const { notes } = await notesOf([one, one, [], []], {})
  expect(notes).toEqual([
    [],
    [],
    [
      expect.stringMatching(
        /^The replica that started last had other values of --unknown-members and --rate-limit: .*\.$/,
      ),
    ],
    [],
  ])
})

test('what belongs to one replica may differ, and no secret is saved', async () => {
  const own = (port: string) => [
    '--api-port',
    port,
    '--data-dir',
    port,
    '--control-token',
    `hush-${port}`,
    '--log',
    'json',
  ]
  const { notes, saved } = await notesOf([own('1'), own('2')], {})
  expect([notes, saved.includes('hush')]).toEqual([[[], []], false])
})

test('a process by itself compares nothing', async () => {
  const { notes } = await notesOf([['--rate-limit', '25'], []], undefined)
  expect(notes.flat()).toEqual([])
})
