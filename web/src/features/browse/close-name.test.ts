import { expect } from 'chai'
import { isCloseName } from './close-name.ts'

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
