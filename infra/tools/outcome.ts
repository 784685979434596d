/** The outcome of a command: for people, and for scripts. */
export interface Outcome {
  text: string
  json: Record<string, unknown>
  /** 1 if the command was carried out and what it found is bad; default 0. */
  exitCode?: 1
  /** A part that failed although the others were done: the exit code is 1. */
  fault?: string
}
