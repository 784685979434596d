import { expect } from 'chai'
import type { PersonPayload } from '#shared/domain/payloads/people.ts'
import { ambiguousAmong, areNamesChanged, namesToFollow } from './people-changes.ts'

const person = (username: string, display_name: string | null = null): PersonPayload => ({
  username,
  display_name,
  title: null,
  role: 'member',
  kind: 'person',
  active: true,
  status: null,
  timezone: null,
})
const people = [person('ada', 'Ada Byron'), person('bob')]
const known = (name: string) => people.find(({ username }) => username === name)
const NONE: ReadonlySet<string> = new Set()

describe('changes of people', () => {
  it('are no changes of names when a status or a role changes', () => {
    const status = { emoji: null, text: 'Lunch', until: null, quiet: false }
    expect(areNamesChanged([{ ...people[0]!, status, role: 'guest' }], [], known)).to.equal(false)
    expect(areNamesChanged([], ['bob'], known)).to.equal(false)
  })

  it('are changes of names for new, renamed and lost people', () => {
    expect(areNamesChanged([person('ada', 'Ada L.')], [], known)).to.equal(true)
    expect(areNamesChanged([person('ada')], [], known)).to.equal(true)
    expect(areNamesChanged([person('cleo')], [], known)).to.equal(true)
    expect(areNamesChanged([], ['ada'], known)).to.equal(true)
  })

  it('leave the set of ambiguous names as it is while the names are the same', () => {
    const twice = [...people, person('cleo', 'BOB')]
    const found = ambiguousAmong(twice, NONE)
    expect([...found]).to.deep.equal(['bob'])
    expect(ambiguousAmong(twice, found)).to.equal(found)
    expect(ambiguousAmong(people, NONE)).to.equal(NONE)
    expect(ambiguousAmong(people, found).size).to.equal(0)
  })

  it('look for the new names of few people, and for those of the open conversation', () => {
    const many = Array.from({ length: 2_000 }, (_, at) => `person${at}`)
    expect(namesToFollow(['bob', 'cleo'], [])).to.deep.equal(['bob', 'cleo'])
    expect(namesToFollow(many, ['person1500', 'ada'])).to.deep.equal(['person1500'])
    expect(namesToFollow(many, many)).to.have.length(10)
  })
})
