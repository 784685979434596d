import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { mentionTokens } from '../mentions.ts'
import { withCards } from '../slack-shape.ts'
import { type Fields, InvalidPayload, isFields } from '../slack-values.ts'
import { hookShapes, shapeOf } from './index.ts'
import type { Converted, HookInput, HookShape } from './shape.ts'

interface Recorded extends HookInput {
  expected: object
}

const recorded = globSync('payloads/*/*.json', { cwd: import.meta.dirname })
  .sort()
  .map(file => ({
    file,
    shape: basename(dirname(file)),
    ...(JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as Recorded),
  }))

const shown = (made: Converted): object =>
  'ignored' in made
    ? made
    : {
        content: withCards(made.text, made.cards, 5_000).content,
        cards: made.cards,
        ...(made.incident && { incident: made.incident }),
      }

const contentOf = (made: Converted) =>
  'ignored' in made ? '' : withCards(made.text, made.cards, 5_000).content

/** Undefined for a body that the shape refuses. */
function convertedBy(shape: HookShape, input: HookInput): Converted | undefined {
  try {
    return shape.convert(input)
  } catch (err) {
    if (err instanceof InvalidPayload) return undefined
    throw err
  }
}

describe('A3: recorded payloads', () => {
  for (const { file, shape, headers, body, expected } of recorded)
    it(`${file} is recognised and converted`, () => {
      expect(shapeOf({ headers, body })?.name).to.equal(shape)
      expect(shown(hookShapes.get(shape)!.convert({ headers, body }))).to.deep.equal(expected)
    })

  it('are of Grafana if they name its organisation, whatever their version', () => {
    for (const version of ['1', '4'])
      expect(shapeOf({ headers: {}, body: { version, orgId: 1, alerts: [] } })?.name).to.equal('grafana')
    expect(shapeOf({ headers: {}, body: { version: '4', alerts: [] } })?.name).to.equal('alertmanager')
  })

  it('of GitHub leave out a review with a state that names a member of objects', () => {
    const { headers, body } = recorded.find(({ file }) => file.endsWith('review_approved.json'))!
    const review = { ...(body as { review: object }).review, state: 'constructor' }
    const made = hookShapes.get('github')!.convert({ headers, body: { ...body, review } })
    expect(made).to.have.property('ignored')
  })

  it('of Uptime Kuma leave out what is neither up nor down', () => {
    for (const [status, ignored] of [
      [2, 'pending'],
      [3, 'maintenance'],
    ] as const)
      expect(
        hookShapes.get('uptime_kuma')!.convert({ headers: {}, body: { heartbeat: { status }, monitor: {} } }),
      ).to.deep.equal({ ignored })
  })

  it('are at least three of every shape', () => {
    for (const name of hookShapes.keys())
      expect(recorded.filter(({ shape }) => shape === name).length, name).to.be.at.least(3)
  })
})

describe('hostile payloads', () => {
  const replaced = (value: unknown, text: string): unknown => {
    if (typeof value === 'string') return text
    if (Array.isArray(value)) return value.map(one => replaced(one, text))
    return isFields(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, text)]))
      : value
  }

  /** With a text in the place of all but the texts that choose a branch. */
  const filled = (body: Fields, text: string) => {
    const CHOOSING = /^(?:action|object_kind|status|state|conclusion|version|ref)$/
    const walk = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(walk)
      if (!isFields(value)) return replaced(value, text)
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [
          name,
          CHOOSING.test(name) && !isFields(one) ? one : walk(one),
        ]),
      )
    }
    return walk(body) as Fields
  }

  for (const text of [
    '@ada',
    'x @everyone',
    '`@ada',
    '[@ada](',
    '_@ada_',
    '\\@ada',
    '```\n@ada',
    'https://[ @ada',
    '@@ada',
  ])
    it(`mention nobody with ${JSON.stringify(text)} in every field`, () => {
      for (const { file, shape, headers, body } of recorded) {
        const made = convertedBy(hookShapes.get(shape)!, { headers, body: filled(body, text) })
        expect(made ? mentionTokens(contentOf(made)) : [], file).to.deep.equal([])
        if (made && 'cards' in made)
          for (const one of made.cards)
            for (const words of [one.text, ...(one.fields ?? []).map(field => field.value)])
              expect(mentionTokens(words ?? ''), file).to.deep.equal([])
      }
    })

  it('A3: are converted or refused, whatever they contain', () => {
    for (const shape of hookShapes.values()) {
      const inputs = recorded.filter(one => one.shape === shape.name)
      fc.assert(
        fc.property(
          fc.constantFrom(...inputs),
          fc.array(fc.nat()),
          fc.jsonValue(),
          ({ headers, body }, path, value) => {
            convertedBy(shape, { headers, body: changed(body, path, value) as Fields })
          },
        ),
        { numRuns: 300 },
      )
    }
  })

  it('take linear time', () => {
    const timeOf = (size: number) => {
      const started = performance.now()
      for (const { shape, headers, body } of recorded)
        for (const piece of ['[', '`', '@a', '_', 'https://', '# ', ':a', '```\n', ' '])
          convertedBy(hookShapes.get(shape)!, {
            headers,
            body: filled(body, piece.repeat(size / piece.length)),
          })
      return performance.now() - started
    }
    timeOf(1_000)
    const ratios = Array.from({ length: 3 }, () => timeOf(64_000) / Math.max(timeOf(8_000), 1))
    expect(Math.min(...ratios)).to.be.below(16)
  })
})

/** A copy with another value at a place. */
function changed(body: unknown, path: readonly number[], value: unknown): unknown {
  const keys = typeof body === 'object' && body !== null ? Object.keys(body) : []
  if (keys.length === 0) return value
  const key = keys[(path[0] ?? 0) % keys.length]!
  const inner = changed((body as Fields)[key], path.slice(1), value)
  if (Array.isArray(body)) return body.map((one, at) => (String(at) === key ? inner : one))
  return { ...(body as Fields), [key]: path.length === 0 ? value : inner }
}
