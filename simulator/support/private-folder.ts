import { createFolder } from '../../contracts/create-folder.ts'
import { StartError } from './start-error.ts'

/** Creates a folder and its missing parents with mode 0700; throws StartError where it cannot. */
export const createPrivateFolder = (folder: string): void => {
  try {
    createFolder(folder, 0o700)
  } catch {
    throw new StartError(`${folder} cannot be written: make it a writable folder or choose another --data-dir.`)
  }
}
