import { expect } from 'chai'
import { isCloseName, partsOf } from './close-name.ts'

describe('names of channels', () => {
  const close: [string, string][] = [
    ['north-bank-swap', 'north-bank'],
    ['bank-north', 'north-bank'],
    ['northbank', 'north-bank'],
    ['desing', 'design'],
    ['desgin-team', 'design-team'],
    ['ops', 'ops-night'],
    ['field', 'fieldwork'],
  ]
  for (const [a, b] of close)
    it(`${a} is close to ${b}`, () => {
      expect(isCloseName(a, b)).to.equal(true)
      expect(isCloseName(b, a)).to.equal(true)
    })

  const apart: [string, string][] = [
    ['design', 'design'],
    ['qa', 'qa-night'],
    ['north-bank', 'south-bank'],
    ['deploys', 'general'],
    ['', 'general'],
  ]
  for (const [a, b] of apart)
    it(`“${a}” is not close to ${b}`, () => {
      expect(isCloseName(a, b)).to.equal(false)
      expect(isCloseName(b, a)).to.equal(false)
    })
})

describe('the parts of a name that are looked for', () => {
  const slips = (name: string) => [
    ...[...name].map((_, at) => name.slice(0, at) + name.slice(at + 1)),
    ...[...name].map((_, at) => `${name.slice(0, at)}0${name.slice(at + 1)}`),
    ...[...name].map((_, at) => `${name.slice(0, at)}0${name.slice(at)}`),
    ...[...name.slice(1)].map((_, at) => name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2)),
  ]
  for (const name of ['ops', 'deck', 'rig-7', 'design', 'engineering'])
    it(`one slip anywhere leaves a part of ${name}`, () => {
      for (const typed of slips(name).filter(one => one.length > 2))
        expect(
          partsOf(typed).some(part => part !== '' && name.includes(part)),
          typed,
        ).to.equal(true)
    })
})
