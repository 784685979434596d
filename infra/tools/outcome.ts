/** The outcome of a command: for people, and for scripts. */
export interface Outcome {
  text: string
  json: Record<string, unknown>
}
