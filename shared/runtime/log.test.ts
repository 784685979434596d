import { expect } from 'chai'
import { errorFields } from './log.ts'

/** An error with the fields of a library. */
const error = (message: string, fields: object) => Object.assign(new Error(message), fields)

describe('errors in the log', () => {
  it('have no arguments of Redis commands, and no values of rows', () => {
    const refused = error('OOM command not allowed', {
      command: { name: 'set', args: ['session', 'heather'] },
    })
    const duplicate = error('duplicate key value violates unique constraint "users_pkey"', {
      code: '23505',
      constraint: 'users_pkey',
      detail: 'Key (name)=(heather) already exists.',
      where: 'heather',
    })
    for (const err of [refused, duplicate, error('outer', { cause: duplicate })])
      expect(JSON.stringify(errorFields(err))).to.not.include('heather')
    expect(errorFields(duplicate)).to.include({ code: '23505', constraint: 'users_pkey', type: 'Error' })
    expect(errorFields(error('outer', { cause: refused }))).to.have.nested.property(
      'cause.message',
      'OOM command not allowed',
    )
  })

  it('have no value that PostgreSQL or a parser quotes, also not in the stack', () => {
    const value = error('invalid input syntax for type bigint: "heather"', { code: '22P02' })
    let syntax: unknown
    try {
      JSON.parse('heather')
    } catch (err) {
      syntax = err
    }
    for (const err of [value, syntax]) expect(JSON.stringify(errorFields(err))).to.not.include('heather')
    expect(errorFields(value)).to.include({ message: 'invalid input syntax for type bigint: "…"' })
  })

  it('may be anything that was thrown', () => {
    for (const thrown of ['heather', undefined, { text: 'heather' }])
      expect(JSON.stringify(errorFields(thrown))).to.not.include('heather')
  })
})
