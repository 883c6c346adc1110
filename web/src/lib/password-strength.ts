import { type Score, type TranslationKeys, ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { dictionary as italian, translations } from '@zxcvbn-ts/language-it'

export type Strength = {
  /** 1 to 4. */
  level: 1 | 2 | 3 | 4
  label: string
  /** Why the password is weak, or how to make it stronger. */
  hint: string
}

/** zxcvbn has five scores and the scale has four levels: the two lowest scores are one level. */
const levels: Record<Score, Pick<Strength, 'level' | 'label'>> = {
  0: { level: 1, label: 'Debole' },
  1: { level: 1, label: 'Debole' },
  2: { level: 2, label: 'Discreta' },
  3: { level: 3, label: 'Buona' },
  4: { level: 4, label: 'Ottima' },
}

/** Hints for passwords without a warning. */
const praise = new Map<Score, string>([
  [3, 'Va bene. Con una parola in più sarebbe ottima.'],
  [4, 'È difficile da indovinare.'],
])

const words: TranslationKeys = {
  ...translations,
  warnings: {
    ...translations.warnings,
    userInputs: 'La tua email e i nomi di questo sito sono facili da indovinare.',
  },
}

const estimator = new ZxcvbnFactory({
  dictionary: { ...common, ...italian },
  graphs: adjacencyGraphs,
  translations: words,
})

const OWN_NAMES = ['bancone', 'farmacia']

/** Estimates the strength against guessing, including names that an attacker would try first. */
export function measureStrength(password: string, email: string): Strength {
  const parts = [email, ...email.split('@'), ...email.split(/[^\p{L}\d]+/u)]
  const inputs = [...parts.filter((part) => part !== ''), ...OWN_NAMES]
  const { score, feedback } = estimator.check(password, inputs)
  const [advice = ''] = feedback.suggestions
  return { ...levels[score], hint: praise.get(score) ?? feedback.warning ?? advice }
}
