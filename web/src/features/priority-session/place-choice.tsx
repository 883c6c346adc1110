import { PLACE_LENGTH } from '@bancone/contract/priority-customer'
import { useId } from 'react'
import { field } from './styles.ts'

const IN_CAR = 'In auto'
const SPOT = `${IN_CAR}, posto `
const SPOT_LENGTH = PLACE_LENGTH - SPOT.length

/** Where a customer waits: null at the counter. */
export type PlaceInput = { isInCar: boolean; spot: string }

export function placeOf({ isInCar, spot }: PlaceInput): string | null {
  if (!isInCar) return null
  return spot.trim() === '' ? IN_CAR : SPOT + spot.trim()
}

export function inputOf(place: string | null): PlaceInput {
  const spot = place?.startsWith(SPOT) ? place.slice(SPOT.length) : ''
  return { isInCar: place !== null, spot }
}

type PlaceChoiceProps = { value: PlaceInput; onChange: (value: PlaceInput) => void }

export function PlaceChoice({ value, onChange }: PlaceChoiceProps) {
  const name = useId()
  const option = (label: string, isInCar: boolean) => (
    <label className="flex min-h-12 flex-1 cursor-pointer items-center gap-2 rounded-control border border-line-strong bg-surface px-3 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--c-focus)">
      <input
        type="radio"
        name={name}
        checked={value.isInCar === isInCar}
        onChange={() => onChange({ ...value, isInCar })}
        className="size-5 shrink-0 accent-(--c-accent) outline-none"
      />
      {label}
    </label>
  )
  return (
    <fieldset className="needs-script flex flex-col gap-2">
      <legend className="mb-2 font-medium">Posto di attesa</legend>
      <div className="flex flex-wrap gap-2">
        {option('Al banco', false)}
        {option(IN_CAR, true)}
      </div>
      {value.isInCar ? (
        <label className="flex flex-wrap items-center gap-x-3 gap-y-1">
          Posto{' '}
          <span className="text-sm text-muted">
            (se è numerato, al massimo {SPOT_LENGTH} caratteri)
          </span>
          <input
            className={field}
            value={value.spot}
            maxLength={SPOT_LENGTH}
            autoComplete="off"
            onChange={({ currentTarget }) => onChange({ ...value, spot: currentTarget.value })}
          />
        </label>
      ) : null}
    </fieldset>
  )
}
