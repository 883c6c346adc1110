import { ExportFormat } from '@bancone/contract/order-exports'

const formats: Record<ExportFormat, { label: string; hint: string }> = {
  csv: { label: 'CSV (Excel)', hint: 'Testo in colonne: si apre con Excel e con ogni gestionale.' },
  xlsx: { label: 'XLSX', hint: 'Cartella di lavoro di Excel.' },
}

type FormatChoiceProps = { format: ExportFormat; onChange: (format: ExportFormat) => void }

/** Radio buttons for the file format. */
export function FormatChoice({ format, onChange }: FormatChoiceProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-sm font-medium">Formato</legend>
      {ExportFormat.options.map((option) => (
        <label
          key={option}
          className="flex min-h-11 cursor-pointer items-start gap-3 rounded-control border border-line-strong px-3 py-2.5 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--c-focus)"
        >
          <input
            type="radio"
            name="formato"
            value={option}
            checked={format === option}
            aria-describedby={`formato-${option}`}
            aria-label={formats[option].label}
            onChange={() => onChange(option)}
            className="mt-1 size-4 accent-accent outline-none"
          />
          <span>
            <span className="block font-medium">{formats[option].label}</span>
            <span id={`formato-${option}`} className="block text-sm text-muted">
              {formats[option].hint}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
