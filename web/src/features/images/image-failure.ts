import { errorText } from '@bancone/contract/errors'
import { ApiError } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'
import { UnsupportedPictureError } from './uploadable-picture.ts'

export type ImageFailure = {
  title: string
  text: string
  /** The cause, or what to do about it. */
  more: string | null
  /** A retry may succeed. */
  passes: boolean
}

const tooLarge: ImageFailure = {
  title: 'File troppo grande',
  text: errorText('images.too_large'),
  more: null,
  passes: false,
}
const notAPicture: ImageFailure = {
  title: 'Formato non supportato',
  text: errorText('images.not_a_picture'),
  more: null,
  passes: false,
}

const unsendable: Record<UnsupportedPictureError['why'], ImageFailure> = {
  too_large: tooLarge,
  not_a_picture: notAPicture,
  heic: {
    ...notAPicture,
    more: "È una foto HEIC di iPhone, che questo browser non sa leggere. Inviala dall'iPhone, oppure scegli Impostazioni › Fotocamera › Formati › «Più compatibile» e scattala di nuovo.",
  },
  gone: {
    title: 'Errore',
    text: "Impossibile caricare l'immagine",
    more: 'Il file non si può più leggere: sceglilo di nuovo.',
    passes: false,
  },
}

/** Permanent errors: a retry with the same picture fails, too. */
const lasting = new Set<string | null>(['images.too_wide', 'images.unreadable'])

/** Texts for a picture that could not be stored. */
export function imageFailure(error: unknown): ImageFailure {
  if (error instanceof UnsupportedPictureError) return unsendable[error.why]
  const code = error instanceof ApiError ? error.code : null
  if (code === 'images.too_large') return tooLarge
  if (code === 'images.not_a_picture') return notAPicture
  return {
    title: 'Errore',
    text: "Impossibile caricare l'immagine",
    more: errorMessage(error),
    passes: !lasting.has(code),
  }
}
