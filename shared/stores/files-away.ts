/** The bucket of the files does not respond, refuses or fails: not the client's fault. */
export class FilesAway extends Error {}
