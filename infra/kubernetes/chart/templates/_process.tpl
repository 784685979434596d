{{/*
The pod of a process. Parameters: root, name, command, values (its part of .Values), and what it has:
stores (secrets, environment), files, settings, backups, port of its health, hostNetwork, env.
*/}}
{{- define "bothy.pod" -}}
{{- $root := .root -}}
{{- $filesBucket := and .files $root.Values.files.bucket -}}
{{- $backupsBucket := and (eq .name "janitor") $root.Values.backups.enabled $root.Values.backups.bucket -}}
{{- $port := .port | default 8080 -}}
metadata:
  labels: {{- include "bothy.labels" (dict "root" $root "component" .name) | nindent 4 }}
  {{- $annotations := deepCopy $root.Values.podAnnotations }}
  {{- if .stores }}
  {{- $_ := set $annotations "checksum/environment" (include "bothy.environment" $root | sha256sum) }}
  {{- end }}
  {{- with $annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- if .hostNetwork }}
  hostNetwork: true
  {{- end }}
  # Otherwise Services set variables such as STUN_PORT.
  enableServiceLinks: false
  automountServiceAccountToken: false
  # preStop, three seconds in which the process ends its connections, and ten to stop (shared/runtime/lifecycle.ts).
  terminationGracePeriodSeconds: 20
  {{- with $root.Values.image.pullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext: {{- include "bothy.podSecurity" $root | nindent 4 }}
  {{- with .values.nodeSelector | default $root.Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if not .hostNetwork }}
  {{- with $root.Values.topologyKeys }}
  topologySpreadConstraints:
    {{- range . }}
    - maxSkew: 1
      topologyKey: {{ . }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector: { matchLabels: {{ include "bothy.selector" (dict "root" $root "component" $.name) | fromYaml | toJson }} }
    {{- end }}
  {{- end }}
  {{- end }}
  containers:
    - name: {{ .name }}
      image: {{ include "bothy.image" $root }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      command: {{ toJson .command }}
      {{- if .stores }}
      envFrom: [{ configMapRef: { name: {{ include "bothy.fullname" $root }}-environment } }]
      {{- end }}
      env:
        {{- if not .stores }}
        - { name: LOG_LEVEL, value: {{ $root.Values.logLevel }} }
        {{- if $root.Values.metrics.enabled }}
        - { name: METRICS_PORT, value: {{ $root.Values.metrics.port | quote }} }
        {{- end }}
        {{- else }}
        {{- include "bothy.databaseVariables" $root | nindent 8 }}
        {{- if $root.Values.redis.sentinels }}
        {{- include "bothy.sentinelVariables" (dict "root" $root "user" "" "entry" "redisPassword" "key" "redis-password") | nindent 8 }}
        {{- end }}
        {{- end }}
        {{- with $filesBucket }}
        - { name: FILES_URL, value: {{ . | quote }} }
        {{- end }}
        {{- if or $filesBucket $backupsBucket }}
        {{- include "bothy.bucketVariables" $root | nindent 8 }}
        {{- end }}
        - { name: PORT, value: {{ $port | quote }} }
        {{- with .env }}
        {{- tpl . $ | nindent 8 }}
        {{- end }}
      ports:
        - { name: http, containerPort: {{ $port }} }
        {{- if $root.Values.metrics.enabled }}
        - { name: metrics, containerPort: {{ $root.Values.metrics.port }} }
        {{- end }}
        {{- with .udpPort }}
        - { name: stun, containerPort: {{ . }}, protocol: UDP }
        {{- end }}
      # A start with a migration may take long.
      startupProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 2, failureThreshold: 300 }
      livenessProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 10, timeoutSeconds: 5 }
      # Tells of this process alone: without Redis or PostgreSQL it still serves what it can.
      readinessProbe: { httpGet: { path: /readyz, port: http }, periodSeconds: 3, timeoutSeconds: 3 }
      {{- if .served }}
      # Waits until no new requests arrive before SIGTERM.
      lifecycle: { preStop: { sleep: { seconds: 5 } } }
      {{- end }}
      resources: {{- toYaml .values.resources | nindent 8 }}
      securityContext: {{- include "bothy.containerSecurity" $root | nindent 8 }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        {{- if .stores }}
        - { name: secrets, mountPath: /secrets, readOnly: true }
        {{- end }}
        {{- if .settings }}
        - { name: settings, mountPath: /settings, readOnly: true }
        {{- end }}
        {{- if .files }}
        - { name: files, mountPath: /data/files }
        {{- end }}
        {{- if .backups }}
        - { name: backups, mountPath: /backups }
        {{- end }}
        {{- if and .authority (or $root.Values.authority.configMap $root.Values.authority.secret) }}
        - { name: authority, mountPath: /authority, readOnly: true }
        {{- end }}
  volumes:
    - { name: tmp, emptyDir: { sizeLimit: 1Gi } }
    {{- if .stores }}
    - name: secrets
      projected:
        sources:
          {{- if not $root.Values.database.hosts }}
          {{- include "bothy.secretSource" (dict "root" $root "entry" "database" "key" "database-url") | nindent 10 }}
          {{- end }}
          {{- if $root.Values.secrets.databaseDirect }}
          {{- include "bothy.secretSource" (dict "root" $root "entry" "databaseDirect" "key" "database-direct-url" "path" "database-direct-url") | nindent 10 }}
          {{- end }}
          {{- if not $root.Values.redis.sentinels }}
          {{- include "bothy.secretSource" (dict "root" $root "entry" "redis" "key" "redis-url") | nindent 10 }}
          {{- end }}
          {{- include "bothy.secretSource" (dict "root" $root "entry" "session" "key" "session-secret") | nindent 10 }}
          {{- include "bothy.secretSource" (dict "root" $root "entry" "sessionPrevious" "key" "session-secret-previous" "optional" true) | nindent 10 }}
          {{- if $root.Values.secrets.secretsKey }}
          {{- include "bothy.secretSource" (dict "root" $root "entry" "secretsKey" "key" "secrets-key" "path" "secrets-key") | nindent 10 }}
          {{- end }}
    {{- end }}
    {{- if .settings }}
    - { name: settings, configMap: { name: {{ include "bothy.fullname" $root }}-settings } }
    {{- end }}
    {{- if $filesBucket }}
    # Uploads in progress.
    - { name: files, emptyDir: { sizeLimit: 20Gi } }
    {{- else if .files }}
    - { name: files, persistentVolumeClaim: { claimName: {{ $root.Values.files.volume.existingClaim | default (printf "%s-files" (include "bothy.fullname" $root)) }} } }
    {{- end }}
    {{- if .backups }}
    - { name: backups, persistentVolumeClaim: { claimName: {{ $root.Values.backups.volume.existingClaim | default (printf "%s-backups" (include "bothy.fullname" $root)) }} } }
    {{- end }}
    {{- if .authority }}
    {{- with $root.Values.authority }}
    {{- if .configMap }}
    - { name: authority, configMap: { name: {{ .configMap }}, items: [{ key: {{ .key }}, path: ca.crt }] } }
    {{- else if .secret }}
    - { name: authority, secret: { secretName: {{ .secret }}, items: [{ key: {{ .key }}, path: ca.crt }] } }
    {{- end }}
    {{- end }}
    {{- end }}
{{- end }}

{{/* A Deployment of such pods. Further parameters: replicas (none with an autoscaler), strategy. */}}
{{- define "bothy.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "bothy.processName" . }}
  labels: {{- include "bothy.labels" (dict "root" .root "component" .name) | nindent 4 }}
spec:
  {{- $autoscaling := .values.autoscaling | default dict }}
  {{- if not $autoscaling.enabled }}
  replicas: {{ .replicas }}
  {{- end }}
  strategy: {{ toJson (.strategy | default (dict "type" "RollingUpdate" "rollingUpdate" (dict "maxSurge" 1 "maxUnavailable" 0))) }}
  selector:
    matchLabels: {{- include "bothy.selector" (dict "root" .root "component" .name) | nindent 6 }}
  template: {{- include "bothy.pod" . | nindent 4 }}
{{- end }}

{{/* The variables of the processes with stores. */}}
{{- define "bothy.environment" -}}
{{- if not .Values.database.hosts }}
DATABASE_URL_FILE: /secrets/database-url
{{- end }}
{{- if .Values.secrets.databaseDirect }}
DATABASE_DIRECT_URL_FILE: /secrets/database-direct-url
{{- end }}
DATABASE_POOL_SIZE: {{ .Values.database.poolSize | quote }}
{{- if not .Values.redis.sentinels }}
REDIS_URL_FILE: /secrets/redis-url
{{- end }}
SESSION_SECRET_FILE: /secrets/session-secret
# Missing until the key is changed.
SESSION_SECRET_PREVIOUS_FILE: /secrets/session-secret-previous
{{- if .Values.secrets.secretsKey }}
SECRETS_KEY_FILE: /secrets/secrets-key
{{- end }}
PUBLIC_URL: {{ include "bothy.publicUrl" . | quote }}
ALLOWED_HOSTS: {{ join "," .Values.allowedHosts | quote }}
TRUST_PROXY: {{ .Values.trustProxy | quote }}
STUN_PORT: {{ .Values.stun.port | quote }}
LOG_LEVEL: {{ .Values.logLevel | quote }}
{{- if .Values.metrics.enabled }}
METRICS_PORT: {{ .Values.metrics.port | quote }}
{{- end }}
{{- if or .Values.authority.configMap .Values.authority.secret }}
AUTHORITY_CERTIFICATE: /authority/ca.crt
{{- end }}
{{- range $name, $value := .Values.extraEnv }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}
