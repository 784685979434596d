/** A version of bothy on this machine: the folder that has its sources. */
export interface Release {
  root: string
  commit: string | undefined
  /** Changes with each roll: two releases side by side need different ports for metrics. */
  turn: 0 | 1
}
