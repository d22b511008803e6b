/** One file of a kit's folder; `isPrivate` where it holds a private key, or names one. */
export type KitFile = { name: string; text: string; isPrivate: boolean }

/** The members of a kit that are PEM texts, or names of files with them. */
type KitTexts = {
  ca?: string
  certificate: string
  privateKey: string
  signingKeys: readonly { keyId: string; algorithm: string; privateKey: string }[]
}

/** Splits a kit with PEM texts into the files of a folder: one for each text, and a kit.json that names them. */
export const kitFiles = (kit: KitTexts): readonly KitFile[] => {
  const pems: KitFile[] = []
  const file = (name: string, text: string, isPrivate: boolean): string => {
    pems.push({ name, text, isPrivate })
    return name
  }
  const onDisk = {
    ...kit,
    ...(kit.ca === undefined ? {} : { ca: file('ca.pem', kit.ca, false) }),
    certificate: file('certificate.pem', kit.certificate, false),
    privateKey: file('private-key.pem', kit.privateKey, true),
    signingKeys: kit.signingKeys.map(key => ({
      ...key,
      privateKey: file(`signing-${key.algorithm.toLowerCase()}.pem`, key.privateKey, true),
    })),
  }
  return [...pems, { name: 'kit.json', text: `${JSON.stringify(onDisk, null, 2)}\n`, isPrivate: true }]
}

/** Returns the file permissions of one file of a kit: those with secrets are for their owner only. */
export const modeOf = ({ isPrivate }: KitFile): number => (isPrivate ? 0o600 : 0o644)
