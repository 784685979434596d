{{/* Names and labels. A release named bothy has api, events …: bothy-api, bothy-events. */}}
{{- define "bothy.fullname" -}}
{{- if contains "bothy" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-bothy" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* The name of a process's objects. Parameters: root, name. */}}
{{- define "bothy.processName" -}}
{{ printf "%s-%s" (include "bothy.fullname" .root) .name | trunc 63 | trimSuffix "-" }}
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

{{/* A variable from an entry of `secrets`. */}}
{{- define "bothy.secretVariable" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: {{ include "bothy.secretRef" . | fromYaml | toJson }} }
{{- end }}

{{/* DATABASE_URL with a list of servers, or nothing where it is in a Secret. */}}
{{- define "bothy.databaseVariables" -}}
{{- with .Values.database }}
{{- if .hosts }}
{{ include "bothy.secretVariable" (dict "root" $ "name" "DATABASE_PASSWORD" "entry" "databasePassword" "key" "database-password") }}
- name: DATABASE_URL
  value: postgres://{{ .user }}:$(DATABASE_PASSWORD)@{{ join "," .hosts }}/{{ .name }}?target_session_attrs=read-write
{{- end }}
{{- end }}
{{- end }}

{{/* REDIS_URL with a list of sentinels. Parameters: root, user, and the entry and key of its password. */}}
{{- define "bothy.sentinelVariables" -}}
{{- with .root.Values.redis }}
{{ include "bothy.secretVariable" (dict "root" $.root "name" "REDIS_PASSWORD" "entry" $.entry "key" $.key) }}
{{- if .sentinelPassword }}
{{ include "bothy.secretVariable" (dict "root" $.root "name" "SENTINEL_PASSWORD" "entry" "sentinelPassword" "key" "sentinel-password") }}
{{- end }}
- name: REDIS_URL
  value: redis{{ if .tls }}s{{ end }}+sentinel://{{ $.user }}:$(REDIS_PASSWORD)@{{ join "," .sentinels }}/{{ .primary }}{{ if .sentinelPassword }}?sentinel_password=$(SENTINEL_PASSWORD){{ end }}
{{- end }}
{{- end }}

{{/* The keys of the buckets. */}}
{{- define "bothy.bucketVariables" -}}
{{ include "bothy.secretVariable" (dict "root" . "name" "AWS_ACCESS_KEY_ID" "entry" "bucketKeyId" "key" "aws-access-key-id") }}
{{ include "bothy.secretVariable" (dict "root" . "name" "AWS_SECRET_ACCESS_KEY" "entry" "bucketKey" "key" "aws-secret-access-key") }}
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
