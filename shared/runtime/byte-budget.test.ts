import { expect } from 'chai'
import { ByteBudget } from './byte-budget.ts'

describe('a budget of bytes in memory', () => {
  const settled = () => new Promise(resolve => setImmediate(resolve))

  it('lets work begin in its order while there is room, and work of more than all alone', async () => {
    const budget = new ByteBudget(100)
    const running: string[] = []
    const ends = new Map<string, () => void>()
    const begin = (name: string, bytes: number) =>
      budget.run(bytes, async () => {
        running.push(name)
        await new Promise<void>(end => ends.set(name, end))
        running.splice(running.indexOf(name), 1)
      })
    const all = [begin('a', 60), begin('b', 60), begin('c', 10), begin('d', 500)]
    await settled()
    expect(running).to.deep.equal(['a'])
    ends.get('a')!()
    await settled()
    expect(running).to.deep.equal(['b', 'c'])
    ends.get('b')!()
    await settled()
    expect(running).to.deep.equal(['c'])
    ends.get('c')!()
    await settled()
    expect(running).to.deep.equal(['d'])
    ends.get('d')!()
    await Promise.all(all)
  })

  it('gets the bytes back from work that fails', async () => {
    const budget = new ByteBudget(10)
    for (let i = 0; i < 3; i++) {
      const failed = await budget.run(10, () => Promise.reject(new Error('disk'))).catch(err => err)
      expect(failed).to.be.an('error')
    }
    expect(await budget.run(10, async () => 'done')).to.equal('done')
  })
})
