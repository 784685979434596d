/** Worker thread that sends a message 10 ms after the last between `begin` and `end`, and reports the milliseconds of each send. */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { Person } from '#shared/test-kit/person.ts'

const EVERY = 10

/**
 * Sender with an event loop of its own. In the thread of the measured work, a send would also wait for that work's
 * own computing, which no client of a server does.
 */
export class SendTimer {
  readonly #worker: Worker

  private constructor(url: string) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: { url } })
  }

  /** A sender that has signed up at `url` as ada. */
  static async open(url: string): Promise<SendTimer> {
    const timer = new SendTimer(url)
    await timer.#answer()
    return timer
  }

  /** Milliseconds of the sends while `work` goes on, ascending. */
  async during(work: Promise<unknown>): Promise<number[]> {
    this.#worker.postMessage('begin')
    await work.catch(() => {})
    const times = this.#answer<number[]>()
    this.#worker.postMessage('end')
    return (await times).toSorted((a, b) => a - b)
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  async #answer<T>(): Promise<T> {
    const [answer] = await once(this.#worker, 'message')
    return answer
  }
}

if (parentPort) {
  const port = parentPort
  const ada = await new Person('ada', workerData.url).signUp()
  let isSending = false
  let sending: Promise<number[]> = Promise.resolve([])
  port.on('message', async word => {
    isSending = word === 'begin'
    if (isSending) sending = sendAll()
    else port.postMessage(await sending)
  })
  port.postMessage('ready')

  async function sendAll(): Promise<number[]> {
    const times: number[] = []
    while (isSending) {
      const began = performance.now()
      await ada.send('general', 'a message of the usual length, said in passing')
      times.push(performance.now() - began)
      await pause(EVERY)
    }
    return times
  }
}
