/** A version of bothy on this machine: the folder that has its sources. */
export interface Release {
  root: string
  commit: string | undefined
}
