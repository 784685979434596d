import { expect } from 'chai'
import { persisted, persistedGroup } from './persisted.ts'

/** The parts of `Storage` in use: a map with keys as own properties. */
function storage(entries: Record<string, string> = {}): Storage {
  const methods = {
    getItem: (key: string) => entries[key] ?? null,
    setItem: (key: string, text: string) => void Object.assign(entries, { [key]: text }),
    removeItem: (key: string) => void delete entries[key],
  }
  return new Proxy(methods as unknown as Storage, {
    ownKeys: () => Object.keys(entries),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  })
}

const denied = () => {
  throw new DOMException('denied', 'SecurityError')
}

describe('Text kept on a device', () => {
  it('is read as it was written, and is null once removed', () => {
    const area = storage()
    const entry = persisted('color', () => area)
    expect(entry.read()).to.equal(null)
    entry.write('green')
    expect(entry.read()).to.equal('green')
    entry.remove()
    expect(entry.read()).to.equal(null)
  })

  it('is undefined where storage is denied, and writes are lost without an error', () => {
    const entry = persisted('color', denied)
    entry.write('green')
    entry.remove()
    expect(entry.read()).to.equal(undefined)
    expect([...persistedGroup('draft ', denied).readAll()]).to.eql([])
  })

  it('with a common prefix is read by name', () => {
    const area = storage({ 'draft general': 'Hello', other: 'x' })
    const group = persistedGroup('draft ', () => area)
    group.write('random', 'Bye')
    expect([...group.readAll()]).to.eql([
      ['general', 'Hello'],
      ['random', 'Bye'],
    ])
    group.remove('general')
    expect([...group.readAll().keys()]).to.eql(['random'])
  })

  it('does not hide errors of the program', () => {
    const entry = persisted('color', () => {
      throw new TypeError('a bug')
    })
    expect(() => entry.read()).to.throw(TypeError)
  })
})
