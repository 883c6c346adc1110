import { MAX_CLOSINGS, type OpeningSpan } from '@bancone/contract/opening-hours'
import {
  DESCRIPTION_LENGTH,
  type PharmacyProfile,
  ProfileChange,
} from '@bancone/contract/pharmacy-profile'
import { z } from 'zod/mini'

const { shape } = ProfileChange

const Week = z.array(z.array(z.object({ from: z.string(), to: z.string() })))
const orNull = z.pipe(
  z.string(),
  z.transform((text) => text.trim() || null),
)

/** The values of the form. Empty texts, and a week without times, are null in the profile. */
export const ProfileValues = z.object({
  brandColor: z.pipe(orNull, shape.brandColor),
  openingWeek: z.pipe(
    z.pipe(
      Week,
      z.transform((week) => (week.some(({ length }) => length > 0) ? week : null)),
    ),
    shape.openingWeek,
  ),
  closings: shape.closings,
  description: shape.description,
  mapUrl: z.pipe(orNull, shape.mapUrl),
})
export type ProfileValues = z.input<typeof ProfileValues>

const CLOSED_WEEK: OpeningSpan[][] = [[], [], [], [], [], [], []]

export function valuesOf(profile: PharmacyProfile): ProfileValues {
  return {
    brandColor: profile.brandColor ?? '',
    openingWeek: profile.openingWeek ?? CLOSED_WEEK,
    closings: profile.closings,
    description: profile.description ?? '',
    mapUrl: profile.mapUrl ?? '',
  }
}

/** Italian error texts by field; the contract has none. */
export function profileMessage({
  code,
  path = [],
}: Pick<z.core.$ZodRawIssue, 'code' | 'path'>): string | undefined {
  const [field, , ...rest] = path
  const last = rest.at(-1)
  switch (field) {
    case 'brandColor':
      return 'Scrivi il colore con sei cifre, come #0b7a4b.'
    case 'openingWeek':
      return last === undefined ? 'Questi orari si sovrappongono.' : "Scrivi l'ora, come 08:30."
    case 'closings':
      if (last === 'note') return 'La nota è troppo lunga.'
      if (last === undefined) return `Al massimo ${MAX_CLOSINGS} chiusure.`
      return code === 'custom' ? 'Viene prima del primo giorno.' : 'Scegli il giorno.'
    case 'description':
      return `Al massimo ${DESCRIPTION_LENGTH} caratteri.`
    case 'mapUrl':
      return 'Incolla un link di Google Maps, Mappe di Apple, OpenStreetMap o Waze.'
    case undefined:
    default:
      return undefined
  }
}

/** The error text of a field by its path in the form, such as `closings.0.from`. */
export type ErrorOf = (
  path:
    | 'brandColor'
    | 'mapUrl'
    | 'description'
    | 'closings'
    | `closings.${number}.${'from' | 'to' | 'note'}`
    | `openingWeek.${number}`
    | `openingWeek.${number}.${number}.${'from' | 'to'}`,
) => string | undefined
