import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * A message of a process: a response differs from its endpoint's entry (services/api/checked-answers.fixture.ts), or a frame
 * from the schema of its event (services/events/checked-frames.fixture.ts).
 */
export interface WrongAnswer {
  wrongAnswer: string
}

const wrong = new Set<string>()

export function noteWrongAnswer(answer: string) {
  wrong.add(answer)
}

/** Throws if a response since the last call differs from the entry of its endpoint. */
export async function failOnWrongAnswers(): Promise<void> {
  // The process sends it before the response, on another connection.
  await nextTurn()
  if (wrong.size === 0) return
  const lines = [...wrong].map(answer => `\n  ${answer}`).join('')
  wrong.clear()
  throw new Error(`Responses or frames differ from their schemas:${lines}`)
}
