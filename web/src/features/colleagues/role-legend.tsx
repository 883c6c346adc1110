import { roles, roleTexts } from './colleague-texts.ts'

/** Explains the permissions of each role. */
export function RoleLegend() {
  return (
    <dl className="flex flex-col gap-1.5 px-1 text-sm text-muted">
      {roles.map((role) => (
        <div key={role}>
          <dt className="inline font-medium text-ink">{roleTexts[role].name}: </dt>
          <dd className="inline">{roleTexts[role].means}</dd>
        </div>
      ))}
    </dl>
  )
}
