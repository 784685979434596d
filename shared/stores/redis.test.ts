import { expect } from 'chai'
import { isRedisAway } from './redis.ts'

describe('a Redis error', () => {
  const replies: Record<string, boolean> = {
    'MISCONF Errors writing to the AOF file: No space left on device': true,
    "OOM command not allowed when used memory > 'maxmemory'.": true,
    "READONLY You can't write against a read only replica.": true,
    'NOREPLICAS Not enough good replicas to write.': true,
    'LOADING Redis is loading the dataset in memory': true,
    'MASTERDOWN Link with MASTER is down': true,
    'BUSY Redis is busy running a script.': true,
    'ERR max number of clients reached': true,
    "ERR Error running script (call to f_0): @user_script:1: -OOM command not allowed when used memory > 'maxmemory'.": true,
    'Command timed out': true,
    'ERR unknown command': false,
    'WRONGTYPE Operation against a key holding the wrong kind of value': false,
    'NOSCRIPT No matching script.': false,
  }
  for (const [message, isAway] of Object.entries(replies)) {
    it(`${isAway ? 'means that Redis cannot serve now' : 'is a programming error'}: ${message}`, () => {
      expect(isRedisAway(new Error(message))).to.equal(isAway)
    })
  }

  it('within a transaction classifies the transaction', () => {
    const aborted = (reason: string) =>
      Object.assign(new Error('EXECABORT Transaction discarded because of previous errors.'), {
        previousErrors: [new Error(reason)],
      })
    expect(isRedisAway(aborted('MISCONF Errors writing to the AOF file'))).to.equal(true)
    expect(isRedisAway(aborted('ERR wrong number of arguments'))).to.equal(false)
  })
})
