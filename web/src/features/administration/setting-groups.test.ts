import { expect } from 'chai'
import type { SettingPayload } from '#shared/domain/payloads/administration.ts'
import { deletesMore, groupsOf } from './setting-groups.ts'

const setting = (key: string, value: unknown = 0, locked = false): SettingPayload => ({
  ...{ key, value, locked },
  ...{ default: 0, source: 'default', kind: 'number', help: '' },
})

describe('the settings page', () => {
  it('groups settings, with unknown ones and those of the file at the end', () => {
    const groups = groupsOf([
      setting('from_tomorrow'),
      setting('stun_port', 3478, true),
      setting('retention_days'),
      setting('accent', null, true),
    ])
    expect(groups.map(([group, items]) => [group, items.map(({ key }) => key)])).to.deep.equal([
      ['office', ['accent']],
      ['keeping', ['retention_days']],
      ['more', ['from_tomorrow']],
      ['file', ['stun_port']],
    ])
  })

  it('asks before a value that deletes more than the present one', () => {
    for (const [now, next, asks] of [
      [0, 30, true],
      [90, 30, true],
      [30, 90, false],
      [30, 0, false],
      [0, 0, false],
    ] as const)
      expect(deletesMore(setting('retention_days', now), next), `${now} to ${next}`).to.equal(asks)
    expect(deletesMore(setting('max_message_chars', 100), 10)).to.equal(false)
  })
})
