import { expect } from 'chai'
import { isChord, type Pressed } from './chords.ts'
import { SHORTCUTS } from './shortcuts.ts'

/** Chords that browsers or systems take before the page, with ⌘ for Ctrl on macOS. */
const RESERVED = {
  other: ['ctrl N', 'ctrl T', 'ctrl W', 'ctrl shift N', 'ctrl shift T', 'ctrl shift W', 'ctrl tab', 'alt F4'],
  mac: [
    'ctrl N',
    'ctrl T',
    'ctrl W',
    'ctrl Q',
    'ctrl H',
    'ctrl M',
    'ctrl tab',
    'ctrl shift 3',
    'ctrl shift 4',
  ],
}
/** The browser's own, which people need in a chat as well. */
const LEFT_ALONE = ['ctrl F', 'ctrl L', 'ctrl C', 'ctrl V', 'ctrl X', 'ctrl A', 'ctrl Z', 'ctrl R', 'ctrl P']

const pressed = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
})

describe('the table of shortcuts', () => {
  it('has no chord that a browser or a system takes', () => {
    const chords = Object.values(SHORTCUTS).flatMap(list => list.flatMap(({ keys }) => keys))
    const names = chords.map(keys => keys.join(' '))
    for (const taken of [...RESERVED.other, ...RESERVED.mac, ...LEFT_ALONE])
      expect(names).not.to.include(taken)
  })

  it('has each chord once in a place', () => {
    for (const list of Object.values(SHORTCUTS)) {
      const names = list.flatMap(({ keys }) => keys.map(chord => chord.join(' ')))
      // Enter also accepts a suggestion, and Tab indents an item where nothing is suggested.
      const twice = names.filter(
        (name, at) => names.indexOf(name) !== at && name !== 'enter' && name !== 'tab',
      )
      expect(twice).to.deep.equal([])
    }
  })
})

describe('a chord', () => {
  it('is Ctrl, and ⌘ on macOS', () => {
    const chord = ['ctrl', 'shift', 'F']
    expect(isChord(pressed('F', { ctrlKey: true, shiftKey: true }), chord, false)).to.equal(true)
    expect(isChord(pressed('F', { ctrlKey: true, shiftKey: true }), chord, true)).to.equal(false)
    expect(isChord(pressed('f', { metaKey: true, shiftKey: true }), chord, true)).to.equal(true)
    expect(isChord(pressed('f', { ctrlKey: true }), chord, false)).to.equal(false)
  })

  it('is not AltGr', () => {
    const event = pressed('.', { ctrlKey: true, altKey: true })
    expect(isChord(event, ['ctrl', '.'], false)).to.equal(false)
  })

  it('takes signs with and without Shift, and letters of other scripts by their place', () => {
    expect(isChord(pressed('/', { ctrlKey: true, shiftKey: true }), ['ctrl', '/'], false)).to.equal(true)
    expect(isChord(pressed('?', { shiftKey: true }), ['?'], false)).to.equal(true)
    expect(isChord(pressed('л', { ctrlKey: true, code: 'KeyK' }), ['ctrl', 'K'], false)).to.equal(true)
    expect(isChord(pressed('t', { ctrlKey: true, code: 'KeyK' }), ['ctrl', 'K'], false)).to.equal(false)
  })

  it('of a digit with Shift is that of its key, whatever sign the keyboard has there', () => {
    for (const sign of ['&', '/', '7'])
      expect(
        isChord(
          pressed(sign, { ctrlKey: true, shiftKey: true, code: 'Digit7' }),
          ['ctrl', 'shift', '7'],
          false,
        ),
      ).to.equal(true)
    expect(isChord(pressed('/', { ctrlKey: true, code: 'Digit7' }), ['ctrl', 'shift', '7'], false)).to.equal(
      false,
    )
  })

  it('of an arrow has no modifiers but its own', () => {
    expect(isChord(pressed('ArrowUp'), ['↑'], false)).to.equal(true)
    expect(isChord(pressed('ArrowUp', { shiftKey: true }), ['↑'], false)).to.equal(false)
    expect(isChord(pressed('ArrowUp', { shiftKey: true }), ['shift', '↑'], false)).to.equal(true)
  })
})
