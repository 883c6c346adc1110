{{- define "bancone.selector" -}}
app.kubernetes.io/name: bancone
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "bancone.labels" -}}
{{ include "bancone.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- /* Refuses what would lose data or show different pages. */ -}}
{{- define "bancone.check" -}}
{{- $replicas := int .Values.replicas -}}
{{- if and .Values.embedded (gt $replicas 1) -}}
{{- fail "embedded: the database is in the pod, so there can be one replica only; set replicas=1, or embedded=false with DATABASE_URL in the secret" -}}
{{- end -}}
{{- if and (gt $replicas 1) (not .Values.settings.S3_BUCKET) -}}
{{- fail "several replicas keep files and pictures in a bucket: set settings.S3_BUCKET, or replicas=1" -}}
{{- end -}}
{{- if and (not .Values.embedded) (not .Values.secret) -}}
{{- fail "secret: name the Secret with APP_SECRET and DATABASE_URL, or set embedded=true" -}}
{{- end -}}
{{- if and (not .Values.embedded) (not .Values.settings.S3_BUCKET) -}}
{{- fail "without embedded=true the pod has no volume: set settings.S3_BUCKET for files and pictures" -}}
{{- end -}}
{{- end }}
