{{/* Names and labels. A release named bothy has api, events …: bothy-api, bothy-events. */}}
{{- define "bothy.fullname" -}}
{{- if contains "bothy" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-bothy" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "bothy.selector" -}}
app.kubernetes.io/name: bothy
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{- define "bothy.labels" -}}
{{ include "bothy.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "bothy.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end }}

{{/* {name, key} of an entry of `secrets`, or of existingSecret. */}}
{{- define "bothy.secretRef" -}}
{{- $given := index .root.Values.secrets .entry | default dict -}}
name: {{ $given.name | default .root.Values.existingSecret }}
key: {{ $given.key | default .key }}
{{- end }}

{{/* An item of the projected volume /secrets. */}}
{{- define "bothy.secretSource" -}}
{{- $ref := include "bothy.secretRef" . | fromYaml -}}
- secret:
    name: {{ $ref.name }}
    items: [{ key: {{ $ref.key }}, path: {{ .path | default .key }} }]
    {{- if .optional }}
    optional: true
    {{- end }}
{{- end }}

{{- define "bothy.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "bothy.containerSecurity" -}}
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities: { drop: [ALL] }
{{- end }}

{{- define "bothy.publicUrl" -}}
{{ .Values.publicUrl | default (printf "https://%s" .Values.host) }}
{{- end }}

{{- define "bothy.claim" -}}
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{ include "bothy.fullname" .root }}-{{ .name }}
  labels: {{- include "bothy.labels" . | nindent 4 }}
  # An uninstalled release leaves what people sent.
  annotations: { helm.sh/resource-policy: keep }
spec:
  accessModes: {{ toJson .volume.accessModes }}
  {{- with .volume.storageClass }}
  storageClassName: {{ . }}
  {{- end }}
  resources: { requests: { storage: {{ .volume.size }} } }
{{- end }}
