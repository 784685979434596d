import { expect } from 'chai'
import type { ChannelLevel } from '#shared/domain/channel-level.ts'
import { DEFAULTS } from '../../store/preferences/preference-values.ts'
import { type Choices, type Happening, outcomeOf, type Place, placeOf } from './outcomes.ts'

const NOW = 1_000_000
const HAPPENINGS: Happening[] = ['mention', 'direct', 'channel', 'call', 'other']
const PLACES: Place[] = ['here', 'elsewhere', 'background']

/** The outcome in words, like a cell of the table. */
function cell(happening: Happening, place: Place, choices: Partial<Choices> = {}, channel = 'general') {
  const outcome = outcomeOf(happening, channel, place, { ...DEFAULTS, ...choices }, NOW)
  const words = (['badge', 'sound', 'desktop'] as const).filter(name => outcome[name])
  return words.join(', ') || 'none'
}

const table = (choices: Partial<Choices> = {}, channel?: string) =>
  HAPPENINGS.map(happening => PLACES.map(place => cell(happening, place, choices, channel)))

describe('outcomes of an event (ui.md 6.6)', () => {
  it('match the table cell by cell', () => {
    expect(table()).to.deep.equal([
      ['none', 'badge, sound', 'badge, sound, desktop'],
      ['none', 'badge', 'badge, sound, desktop'],
      ['none', 'badge', 'badge'],
      ['sound', 'sound', 'sound, desktop'],
      ['none', 'none', 'none'],
    ])
  })

  it('show every message of a chosen channel on the desktop, without a sound', () => {
    expect(PLACES.map(place => cell('channel', place, { everyMessageIn: ['general'] }))).to.deep.equal([
      'none',
      'badge',
      'badge, desktop',
    ])
    expect(cell('channel', 'background', { everyMessageIn: ['random'] })).to.equal('badge')
  })

  it('follow the level of the channel before the settings of the device', () => {
    const at = (level: ChannelLevel, happening: Happening, choices: Partial<Choices> = {}) => {
      const { sound, desktop } = outcomeOf(
        happening,
        'general',
        'background',
        { ...DEFAULTS, ...choices },
        NOW,
        level,
      )
      return [sound, desktop]
    }
    expect(at('all', 'channel')).to.deep.equal([false, true])
    expect(at('mentions', 'mention', { desktopMentions: false })).to.deep.equal([true, true])
    expect(at('mentions', 'channel', { everyMessageIn: ['general'] })).to.deep.equal([false, false])
    expect(at('mentions', 'direct')).to.deep.equal([false, false])
    expect(at('nothing', 'mention')).to.deep.equal([false, false])
    expect(at('nothing', 'call')).to.deep.equal([true, true])
    expect(at('all', 'channel', { desktop: false })).to.deep.equal([false, false])
  })

  it('show mentions in a chosen channel whatever else is off', () => {
    const choices = { everyMessageIn: ['general'], desktopMentions: false }
    expect(cell('mention', 'background', choices)).to.equal('badge, sound, desktop')
    expect(cell('mention', 'background', choices, 'random')).to.equal('badge, sound')
  })

  it('show a direct message that mentions the viewer while mentions are off', () => {
    const choices = { desktopMentions: false }
    expect(cell('mention', 'background', choices, 'dm:ada:bob')).to.equal('badge, sound, desktop')
    const neither = { ...choices, desktopDirect: false }
    expect(cell('mention', 'background', neither, 'dm:ada:bob')).to.equal('badge, sound')
  })

  it('are badges only while muted, including calls', () => {
    for (const mutedUntil of ['forever', NOW + 1] as const) {
      expect(table({ mutedUntil, everyMessageIn: ['general'] })).to.deep.equal([
        ['none', 'badge', 'badge'],
        ['none', 'badge', 'badge'],
        ['none', 'badge', 'badge'],
        ['none', 'none', 'none'],
        ['none', 'none', 'none'],
      ])
    }
  })

  it('return to the whole table after muting ends', () => {
    expect(table({ mutedUntil: NOW })).to.deep.equal(table())
  })

  it('leave out each setting that is turned off', () => {
    expect(cell('mention', 'background', { desktopMentions: false })).to.equal('badge, sound')
    expect(cell('direct', 'background', { desktopMentions: false })).to.equal('badge, sound, desktop')
    expect(cell('direct', 'background', { desktopDirect: false })).to.equal('badge, sound')
    expect(cell('mention', 'background', { desktop: false })).to.equal('badge, sound')
    expect(cell('mention', 'background', { sounds: false })).to.equal('badge, desktop')
    expect(cell('call', 'background', { sounds: false })).to.equal('sound, desktop')
    expect(cell('call', 'background', { callSounds: false })).to.equal('desktop')
    expect(cell('call', 'background', { desktop: false })).to.equal('sound')
  })

  it('depend on the channels open in focused tabs', () => {
    expect(placeOf('general', new Set(['random', 'general']))).to.equal('here')
    expect(placeOf('general', new Set(['random']))).to.equal('elsewhere')
    expect(placeOf('general', new Set(['']))).to.equal('elsewhere')
    expect(placeOf('general', new Set())).to.equal('background')
  })
})
